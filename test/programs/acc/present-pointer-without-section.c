// Pointers named without a section in data clauses stand for the data that they point to, if it is present.
// arc: items>1, gcc-offload-cannot look behind the pointer
#include "check.h"
#include <stdlib.h>

static void add(int n, const double *x, double *y) {
#pragma acc parallel loop present(x, y)
  for (int i = 0; i < n; i++)
    y[i] += x[i];
}

int main(void) {
  int n = 219;
  double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y);
  for (int i = 0; i < n; i++)
    x[i] = i;
#pragma acc data copyin(x[0:n]) copy(y[0:n])
  {
    add(n, x, y);
    add(n - 1, x + 1, y);
  }
  for (int i = 0; i < n; i++)
    NEAR_AT(i, y[i], i == n - 1 ? i : 2 * i + 1, 0);
  free(x);
  free(y);
  return report();
}
