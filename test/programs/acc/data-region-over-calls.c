// A data region spans calls; the called functions name the data as present.
// arc: items>1
#include "check.h"

#define N 353

static void shift(const double *from, double *to, int n, double by) {
#pragma acc parallel loop present(from[0:n], to[0:n])
  for (int i = 0; i < n; i++)
    to[i] = from[i] + by;
}

static double total(const double *a, int n) {
  double sum = 0;
#pragma acc parallel loop present(a[0:n]) reduction(+:sum)
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

int main(void) {
  double a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = i;
  double sum = 0;

#pragma acc data copyin(a) create(b)
  {
    for (int k = 1; k <= 3; k++) {
      shift(a, b, N, k);
      sum += total(b, N);
    }
  }

  NEAR(sum, 3 * (N * (N - 1) / 2) + 6 * N, 1e-12);
  return report();
}
