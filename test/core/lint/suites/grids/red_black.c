#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define N 64
static double u[N + 2][N + 2], f[N + 2][N + 2];
int main(void) {
  for (int i = 0; i < N + 2; i++)
    for (int j = 0; j < N + 2; j++) {
      u[i][j] = 0;
      f[i][j] = ((i * 5 + j * 3) % 7) * 0.01;
    }
#pragma acc data copy(u) copyin(f)
  for (int step = 0; step < 10; step++)
    for (int color = 0; color < 2; color++) {
#pragma acc parallel loop
      for (int i = 1; i <= N; i++) {
#pragma acc loop
        for (int j = 1 + (i + color) % 2; j <= N; j += 2)
          u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
      }
    }
  printf("%.6f %.6f\n", u[10][10], u[33][20]);
  return 0;
}
