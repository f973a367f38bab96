// Clauses name only members of structs; the region's own uses of those members find the data.
// arc: items>1, gcc-offload-cannot do without the struct
#include "check.h"
#include <stdlib.h>

typedef struct {
  int n;
  float *a;
  float b[64];
} Field;

int main(void) {
  Field s, *p = malloc(sizeof *p);
  s.n = p->n = 61;
  s.a = malloc(s.n * sizeof *s.a);
  p->a = malloc(p->n * sizeof *p->a);
  for (int i = 0; i < s.n; i++) {
    s.a[i] = i;
    p->a[i] = -1;
    s.b[i] = 0;
  }

#pragma acc parallel loop copyin(s.a[0:s.n]) copyout(p->a[0:p->n]) copy(s.b[0:61])
  for (int i = 0; i < 61; i++) {
    p->a[i] = 2 * s.a[i];
    s.b[i] += s.a[i] + 3;
  }

  for (int i = 0; i < s.n; i++) {
    NEAR_AT(i, p->a[i], 2 * i, 0);
    NEAR_AT(i, s.b[i], i + 3, 0);
  }
  free(s.a);
  free(p->a);
  free(p);
  return report();
}
