// Enter data attaches a struct's pointer member: the region finds the data through the struct on the device.
// arc: items>1
#include "check.h"
#include <stdlib.h>

typedef struct {
  int n;
  double *x;
  double *y;
} Pair;

int main(void) {
  Pair *p = malloc(sizeof *p);
  p->n = 239;
  p->x = malloc(p->n * sizeof *p->x);
  p->y = malloc(p->n * sizeof *p->y);
  double *host_x = p->x;
  for (int i = 0; i < p->n; i++) {
    p->x[i] = i;
    p->y[i] = 0;
  }

#pragma acc enter data copyin(p[0:1])
#pragma acc enter data copyin(p->x[0:p->n], p->y[0:p->n])
#pragma acc parallel loop present(p[0:1])
  for (int i = 0; i < p->n; i++)
    p->y[i] = p->x[i] * p->n;
#pragma acc update self(p->y[0:p->n])
#pragma acc exit data delete(p->x[0:p->n], p->y[0:p->n])
#pragma acc exit data delete(p[0:1])

  EXPECT(p->x == host_x, 1);
  for (int i = 0; i < p->n; i++)
    NEAR_AT(i, p->y[i], 239.0 * i, 0);
  free(p->x);
  free(p->y);
  free(p);
  return report();
}
