// A nest without loop directives in a kernels construct: the compiler finds what is parallel.
#include "check.h"

#define N 33

int main(void) {
  static double a[N][N], b[N][N], c[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i - j;
      b[i][j] = i == j ? 2 : 0.5;
    }

#pragma acc kernels copyin(a, b) copyout(c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      c[i][j] = 0;
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
    }

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double want = 0;
      for (int k = 0; k < N; k++)
        want += (i - k) * (k == j ? 2 : 0.5);
      NEAR_AT(i * N + j, c[i][j], want, 1e-13);
    }
  return report();
}
