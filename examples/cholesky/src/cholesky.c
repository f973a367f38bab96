/*
 * Cholesky factorisation of a matrix of tiles: A = L L^T. The program is sequential C; which calls must wait for which
 * follows from the tiles that they use. The updates, which are nearly all of the work, are regions for a device.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#pragma omp task inout([bs * bs]a) label(factor)
static void factor(int bs, double *a) {
  for (int j = 0; j < bs; j++) {
    for (int k = 0; k < j; k++) a[j * bs + j] -= a[j * bs + k] * a[j * bs + k];
    a[j * bs + j] = sqrt(a[j * bs + j]);
    for (int i = j + 1; i < bs; i++) {
      for (int k = 0; k < j; k++) a[i * bs + j] -= a[i * bs + k] * a[j * bs + k];
      a[i * bs + j] /= a[j * bs + j];
    }
  }
}

#pragma omp task in([bs * bs]diagonal) inout([bs * bs]a) priority(1) label(solve)
static void solve(int bs, const double *diagonal, double *a) {
  for (int i = 0; i < bs; i++)
    for (int j = 0; j < bs; j++) {
      for (int k = 0; k < j; k++) a[i * bs + j] -= a[i * bs + k] * diagonal[j * bs + k];
      a[i * bs + j] /= diagonal[j * bs + j];
    }
}

#pragma omp task in([bs * bs]a, [bs * bs]b) inout([bs * bs]c) label(update)
static void update(int bs, const double *a, const double *b, double *c) {
#pragma acc parallel loop collapse(2) copyin(a[0 : bs * bs], b[0 : bs * bs]) copy(c[0 : bs * bs])
  for (int i = 0; i < bs; i++)
    for (int j = 0; j < bs; j++) {
      double sum = 0;
      for (int k = 0; k < bs; k++) sum += a[i * bs + k] * b[j * bs + k];
      c[i * bs + j] -= sum;
    }
}

int main(int argc, char **argv) {
  int tiles = argc > 1 ? atoi(argv[1]) : 8, bs = argc > 2 ? atoi(argv[2]) : 64;
  int n = tiles * bs;
  double **tile = calloc((size_t)tiles * tiles, sizeof *tile);
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j <= i; j++) {
      double *t = tile[i * tiles + j] = malloc(sizeof(double) * bs * bs);
      for (int x = 0; x < bs * bs; x++) {
        int row = i * bs + x / bs, column = j * bs + x % bs;
        t[x] = row == column ? 2.0 * n : 1.0 / (1 + abs(row - column));
      }
    }

  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int k = 0; k < tiles; k++) {
    factor(bs, tile[k * tiles + k]);
    for (int i = k + 1; i < tiles; i++) solve(bs, tile[k * tiles + k], tile[i * tiles + k]);
    for (int i = k + 1; i < tiles; i++)
      for (int j = k + 1; j <= i; j++)
        update(bs, tile[i * tiles + k], tile[j * tiles + k], tile[i * tiles + j]);
  }
#pragma omp taskwait
  clock_gettime(CLOCK_MONOTONIC, &end);

  double trace = 0, sum = 0;
  for (int i = 0; i < tiles; i++)
    for (int x = 0; x < bs; x++) trace += log(tile[i * tiles + i][x * bs + x]);
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j <= i; j++)
      for (int x = 0; x < bs * bs; x++) sum += tile[i * tiles + j][x];
  printf("order %d: log of the determinant %.9g, sum of the factor %.9g\n", n, 2 * trace, sum);
  printf("time: %.3f s\n", (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
  return 0;
}
