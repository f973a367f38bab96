// In-place relaxation of red points then black points: steps of two with a start that depends on the row.
// arc: items>1
#include "check.h"

#define N 35

static void sweep(double u[N][N], int colour) {
#pragma acc parallel loop gang present(u[0:N])
  for (int i = 1; i < N - 1; i++) {
#pragma acc loop vector
    for (int j = 1 + (i + colour) % 2; j < N - 1; j += 2)
      u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
  }
}

int main(void) {
  static double u[N][N], want[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      u[i][j] = want[i][j] = i == 0 || j == N - 1 ? i + j : 0;

#pragma acc data copy(u)
  for (int k = 0; k < 50; k++) {
    sweep(u, 0);
    sweep(u, 1);
  }

  for (int k = 0; k < 100; k++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1 + (i + k) % 2; j < N - 1; j += 2)
        want[i][j] = 0.25 * (want[i - 1][j] + want[i + 1][j] + want[i][j - 1] + want[i][j + 1]);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      NEAR_AT(i * N + j, u[i][j], want[i][j], 1e-12);
  return report();
}
