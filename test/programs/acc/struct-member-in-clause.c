// Structs and sections of their pointer members, reached by . and ->, in the clauses of nested constructs.
// arc: items>1
#include "check.h"
#include <stdlib.h>

typedef struct {
  int n;
  float *restrict a;
} Field;

int main(void) {
  Field s, *p = malloc(sizeof *p);
  s.n = p->n = 61;
  s.a = malloc(s.n * sizeof *s.a);
  p->a = malloc(p->n * sizeof *p->a);
  for (int i = 0; i < s.n; i++) {
    s.a[i] = i;
    p->a[i] = -1;
  }

#pragma acc data copyin(s, p[0:1])
  {
#pragma acc parallel loop copyin(s.a[0:s.n]) copyout(p->a[0:p->n])
    for (int i = 0; i < s.n; i++)
      p->a[i] = 2 * s.a[i];
  }

  for (int i = 0; i < s.n; i++)
    NEAR_AT(i, p->a[i], 2 * i, 0);
  free(s.a);
  free(p->a);
  free(p);
  return report();
}
