// A pointer that no clause of the region names finds the data that an enclosing region put on the device.
// arc: items>1, gcc-offload-cannot translate pointers without a clause
#include "check.h"
#include <stdlib.h>

static void twice(int *p, int n) {
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    p[i] *= 2;
}

int main(void) {
  int n = 289, *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma acc data copy(a[0:n])
  {
    twice(a, n);
    twice(a, n);
  }
  for (int i = 0; i < n; i++)
    EXPECT_AT(i, a[i], 4 * i);
  free(a);
  return report();
}
