/* Matrices of small whole numbers, whose sums of products are exact in float, and the check of some elements. */
#ifndef PRODUCTS_H
#define PRODUCTS_H
#include "../bench.h"

#define N 1024      /* rows and columns of SYRK and of 2MM */
#define BATCH 16384 /* products of matrices of */
#define SMALL 32    /* rows and columns */

static inline float element(int matrix, long i, long j) { return (float)((i * 3 + j * 5 + matrix) % 4 - 1); }

static inline float *make(int matrix, long rows, long columns) {
  float *a = (float *)malloc(rows * columns * sizeof *a);
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < columns; j++)
      a[i * columns + j] = element(matrix, i, j);
  return a;
}

static inline void check_syrk(const float *c) {
  for (long i = 0; i < N; i += 61)
    for (long j = 0; j < N; j += 67) {
      double sum = 0;
      for (long k = 0; k < N; k++)
        sum += (double)element(0, i, k) * element(0, j, k);
      expect_close("an element of A times transposed A", c[i * N + j], j <= i ? sum : element(1, i, j), 1e-5);
    }
}

/* d = (A B) C: ab is A B. */
static inline void check_twomm(const float *ab, const float *d) {
  for (long i = 0; i < N; i += 61)
    for (long j = 0; j < N; j += 67) {
      double first = 0, second = 0;
      for (long k = 0; k < N; k++)
        first += (double)element(0, i, k) * element(1, k, j);
      for (long k = 0; k < N; k++)
        second += (double)ab[i * N + k] * element(2, k, j);
      expect_close("an element of A B", ab[i * N + j], first, 1e-5);
      if (fabs(d[i * N + j] - second) > 1)
        expect_close("an element of A B C", d[i * N + j], second, 1e-4);
    }
}

static inline void check_batch(const float *c) {
  for (long b = 0; b < BATCH; b += 997)
    for (long i = 0; i < SMALL; i++)
      for (long j = 0; j < SMALL; j++) {
        double sum = 0;
        for (long k = 0; k < SMALL; k++)
          sum += (double)element(0, b * SMALL + i, k) * element(1, b * SMALL + k, j);
        expect_close("an element of a small product", c[(b * SMALL + i) * SMALL + j], sum, 1e-5);
      }
}
#endif
