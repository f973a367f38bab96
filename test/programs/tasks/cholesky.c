/* Cholesky's factorisation of a matrix of tiles, each a piece of memory of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILES = 8, BS = 24 };

#pragma omp task inout([bs * bs]a)
static void potrf(int bs, double *a) {
  for (int j = 0; j < bs; j++) {
    for (int k = 0; k < j; k++) a[j * bs + j] -= a[j * bs + k] * a[j * bs + k];
    a[j * bs + j] = sqrt(a[j * bs + j]);
    for (int i = j + 1; i < bs; i++) {
      for (int k = 0; k < j; k++) a[i * bs + j] -= a[i * bs + k] * a[j * bs + k];
      a[i * bs + j] /= a[j * bs + j];
    }
  }
}

#pragma omp task in([bs * bs]d) inout([bs * bs]a)
static void trsm(int bs, const double *d, double *a) {
  for (int i = 0; i < bs; i++)
    for (int j = 0; j < bs; j++) {
      for (int k = 0; k < j; k++) a[i * bs + j] -= a[i * bs + k] * d[j * bs + k];
      a[i * bs + j] /= d[j * bs + j];
    }
}

#pragma omp task in([bs * bs]a, [bs * bs]b) inout([bs * bs]c) priority(1)
static void gemm(int bs, const double *a, const double *b, double *c) {
  for (int i = 0; i < bs; i++)
    for (int j = 0; j < bs; j++)
      for (int k = 0; k < bs; k++) c[i * bs + j] -= a[i * bs + k] * b[j * bs + k];
}

int main(void) {
  double *tile[TILES][TILES];
  for (int i = 0; i < TILES; i++)
    for (int j = 0; j <= i; j++) {
      tile[i][j] = malloc(sizeof(double) * BS * BS);
      for (int x = 0; x < BS; x++)
        for (int y = 0; y < BS; y++) {
          int row = i * BS + x, column = j * BS + y;
          tile[i][j][x * BS + y] = row == column ? 2.0 * TILES * BS : 1.0 / (1 + abs(row - column));
        }
    }
  for (int k = 0; k < TILES; k++) {
    potrf(BS, tile[k][k]);
    for (int i = k + 1; i < TILES; i++) trsm(BS, tile[k][k], tile[i][k]);
    for (int i = k + 1; i < TILES; i++)
      for (int j = k + 1; j <= i; j++) gemm(BS, tile[i][k], tile[j][k], tile[i][j]);
  }
#pragma omp taskwait
  double sum = 0;
  for (int i = 0; i < TILES; i++)
    for (int j = 0; j <= i; j++)
      for (int x = 0; x < BS * BS; x++) sum += tile[i][j][x] * ((x % 13) - 6);
  printf("%.17g\n", sum);
  return 0;
}
