// Two of three nested loops are collapsed; the third is sequential with a private sum.
// arc: items>1
#include "check.h"

#define N 29

int main(void) {
  static double a[N][N], b[N][N], c[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i + j;
      b[i][j] = i - j;
    }

#pragma acc parallel loop gang vector collapse(2) copyin(a, b) copyout(c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double want = 0;
      for (int k = 0; k < N; k++)
        want += (i + k) * (double)(k - j);
      NEAR_AT(i * N + j, c[i][j], want, 1e-12);
    }
  return report();
}
