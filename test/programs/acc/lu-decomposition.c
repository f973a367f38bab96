// LU decomposition in place: loops whose bounds shrink with the step, launched from the host.
// arc: items>1
#include "check.h"

#define N 47

int main(void) {
  static double a[N][N], lu[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      lu[i][j] = a[i][j] = i == j ? N + 1 : 1.0 / (1 + (i * 7 + j * 3) % 11);

#pragma acc data copy(lu)
  {
    for (int k = 0; k < N - 1; k++) {
#pragma acc parallel loop
      for (int i = k + 1; i < N; i++)
        lu[i][k] /= lu[k][k];
#pragma acc parallel loop collapse(2)
      for (int i = k + 1; i < N; i++)
        for (int j = k + 1; j < N; j++)
          lu[i][j] -= lu[i][k] * lu[k][j];
    }
  }

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k <= (i < j ? i : j); k++)
        sum += (k == i ? 1 : lu[i][k]) * lu[k][j];
      NEAR_AT(i * N + j, sum, a[i][j], 1e-12);
    }
  return report();
}
