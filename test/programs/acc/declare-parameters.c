// Declare names the parameters of a function whose data the caller put on the device.
// arc: items>1, gcc-offload-cannot find pointers in declare present
#include "check.h"

#define N 241

static void add(int n, double *x, const double *y) {
#pragma acc declare present(x, y)
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    x[i] += y[i];
}

int main(void) {
  static double x[N], y[N];
  for (int i = 0; i < N; i++)
    y[i] = i;
#pragma acc data copy(x) copyin(y)
  {
    add(N, x, y);
    add(N - 1, x, y + 1);
  }
  for (int i = 0; i < N; i++)
    NEAR_AT(i, x[i], i == N - 1 ? i : 2 * i + 1, 0);
  return report();
}
