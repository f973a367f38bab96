// Host_data gives the host the device's addresses, to hand them to functions that want such.
// arc: items>1
#include "check.h"
#include <stdlib.h>

/* x and y are device addresses. */
static void axpy(int n, double a, const double *x, double *y) {
#pragma acc parallel loop deviceptr(x, y)
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}

int main(void) {
  int n = 281;
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++) {
    x[i] = i;
    y[i] = 1;
  }

#pragma acc data copyin(x[0:n]) copy(y[0:n])
  {
#pragma acc host_data use_device(x, y)
    axpy(n, 3, x, y);
#pragma acc host_data use_device(x) use_device(y)
    {
      axpy(n / 2, 1, x, y);
      axpy(n / 2, 1, x + n / 2, y + n / 2);
    }
  }

  for (int i = 0; i < n; i++)
    NEAR_AT(i, y[i], 1 + 4 * i - (i == n - 1 ? i : 0), 0);
  free(x);
  free(y);
  return report();
}
