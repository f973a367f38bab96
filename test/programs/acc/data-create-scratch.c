// A data region allocates scratch memory on the device that the host never sees.
// arc: items>1
#include "check.h"
#include <stdlib.h>

int main(void) {
  int n = 777;
  float *a = malloc(n * sizeof *a), *scratch = malloc(n * sizeof *scratch);
  for (int i = 0; i < n; i++)
    a[i] = i;

#pragma acc data copy(a[0:n]) create(scratch[0:n])
  {
#pragma acc parallel loop present(a[0:n], scratch[0:n])
    for (int i = 0; i < n; i++)
      scratch[i] = a[n - 1 - i];
#pragma acc parallel loop present(a[0:n], scratch[0:n])
    for (int i = 0; i < n; i++)
      a[i] = scratch[i] + 0.5f;
  }

  for (int i = 0; i < n; i++)
    NEAR_AT(i, a[i], n - 1 - i + 0.5, 0);
  free(a);
  free(scratch);
  return report();
}
