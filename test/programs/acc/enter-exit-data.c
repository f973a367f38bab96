// Unstructured data: an array enters the device in one function and leaves it in another.
// arc: items>1
#include "check.h"
#include <stdlib.h>

static double *open_series(int n) {
  double *values = calloc(n, sizeof *values);
#pragma acc enter data copyin(values[0:n])
  return values;
}

static void add(double *values, int n, double slope) {
#pragma acc parallel loop present(values[0:n])
  for (int i = 0; i < n; i++)
    values[i] += slope * i;
}

static void close_series(double *values, int n) {
#pragma acc exit data copyout(values[0:n])
}

int main(void) {
  int n = 331;
  double *values = open_series(n);
  add(values, n, 1.5);
  add(values, n, 2);
  close_series(values, n);
  for (int i = 0; i < n; i++)
    NEAR_AT(i, values[i], 3.5 * i, 0);
  free(values);
  return report();
}
