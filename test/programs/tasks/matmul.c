/* Tiles of matrices that lie in one piece: sections of rows of sections of columns, exactly. */
#include <stdio.h>

enum { N = 96 };

#pragma omp task in([n][n]a[i;bs][k;bs], [n][n]b[k;bs][j;bs]) inout([n][n]c[i;bs][j;bs])
static void multiply(int n, int bs, int i, int j, int k, double *a, double *b, double *c) {
  for (int x = i; x < i + bs; x++)
    for (int y = j; y < j + bs; y++)
      for (int z = k; z < k + bs; z++) c[x * n + y] += a[x * n + z] * b[z * n + y];
}

/* The same with arrays of a length that is known when the program runs, and inclusive sections. */
#pragma omp task in(a[i : i + bs - 1][0 : n - 1]) inout(c[i : i + bs - 1][j : j + bs - 1])
static void scale(int n, int bs, int i, int j, double a[n][n], double c[n][n]) {
  for (int x = i; x < i + bs; x++)
    for (int y = j; y < j + bs; y++) c[x][y] = c[x][y] * 0.5 + a[x][y];
}

int main(void) {
  static double a[N][N], b[N][N], c[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i - j, b[i][j] = (i * 7 + j) % 11, c[i][j] = 0;
  for (int bs = 16; bs <= 32; bs += 8) {
    for (int i = 0; i < N; i += bs)
      for (int k = 0; k < N; k += bs)
        for (int j = 0; j < N; j += bs) multiply(N, bs, i, j, k, &a[0][0], &b[0][0], &c[0][0]);
    for (int i = 0; i < N; i += bs / 2)
      for (int j = 0; j < N; j += bs / 2) {
        scale(N, bs / 2, i, j, a, c);
#pragma omp task inout(a[i;bs / 2][j;bs / 2]) weakin(b) priority(j)
        for (int x = i; x < i + bs / 2; x++)
          for (int y = j; y < j + bs / 2; y++) a[x][y] += 1;
      }
  }
#pragma omp taskwait
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum += c[i][j] * (i + 2 * j);
  printf("%.17g %.17g %g\n", sum, c[17][93], a[95][0]);
  return 0;
}
