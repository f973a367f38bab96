#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 60 };
static double f[3][n], g[3][n];
int main(void) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) f[k][i] = 1.0 / 3 + (i == 20) * 0.1;
#pragma acc data copy(f) create(g)
  for (int t = 0; t < 10; t++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      double rho = f[0][i] + f[1][i] + f[2][i], u = (f[1][i] - f[2][i]) / rho;
      g[0][i] = f[0][i] - 0.5 * (f[0][i] - rho * 2 / 3 * (1 - 1.5 * u * u));
      g[1][i] = f[1][i] - 0.5 * (f[1][i] - rho / 6 * (1 + 3 * u + 3 * u * u));
      g[2][i] = f[2][i] - 0.5 * (f[2][i] - rho / 6 * (1 - 3 * u + 3 * u * u));
    }
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      f[0][i] = g[0][i];
      f[1][(i + 1) % n] = g[1][i];
      f[2][(i + n - 1) % n] = g[2][i];
    }
  }
  printf("%.6f %.6f\n", f[0][20], f[1][25]);
  return 0;
}
