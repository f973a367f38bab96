// A parallel loop reads sections of heap arrays and writes a third, sizes known only at run time.
// arc: items>1
#include "check.h"
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4099;
  float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
  for (int i = 0; i < n; i++) {
    x[i] = i;
    y[i] = 0.5f * i;
    z[i] = -1;
  }

#pragma acc parallel loop copyin(x[0:n], y[0:n]) copyout(z[0:n])
  for (int i = 0; i < n; i++)
    z[i] = 2 * x[i] + y[i];

  for (int i = 0; i < n; i++)
    NEAR_AT(i, z[i], 2.5 * i, 1e-6);
  free(x);
  free(y);
  free(z);
  return report();
}
