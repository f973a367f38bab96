#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define N 40
static double a[N][N], b[N][N];
int main(void) {
  double error = 1;
  int rounds = 0;
  for (int j = 0; j < N; j++) a[0][j] = b[0][j] = 1;
#pragma acc data copy(a) create(b)
  {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) b[i][j] = a[i][j];
    while (error > 1e-3 && rounds < 200) {
      error = 0;
#pragma acc parallel loop collapse(2) reduction(max : error)
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
          b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
          error = fmax(error, fabs(b[i][j] - a[i][j]));
        }
#pragma acc parallel loop collapse(2)
      for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
      rounds++;
    }
  }
  printf("%d %.5f\n", rounds, a[5][5]);
  return 0;
}
