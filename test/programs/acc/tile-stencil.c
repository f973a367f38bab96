// A tiled stencil with bounds that do not start at zero.
// arc: items>1, gcc-offload-cannot tile with remainders
#include "check.h"

#define N 53

int main(void) {
  static double a[N][N], b[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i * i + 2 * j * j;

#pragma acc parallel loop tile(16, 16) copyin(a) copy(b)
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j];

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      NEAR_AT(i * N + j, b[i][j], i > 0 && i < N - 1 && j > 0 && j < N - 1 ? 6 : 0, 0);
  return report();
}
