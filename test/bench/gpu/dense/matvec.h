/* y = A x, and z = transposed A y: the matrix, and what comes out. */
#ifndef MATVEC_H
#define MATVEC_H
#include "../bench.h"

/* Small whole numbers, so that sums of a few thousand of them are exact in any order. */
static inline float matrix_at(long i, long j) { return (float)((i * 7 + j * 3) % 4); }
static inline float vector_at(long j) { return (float)(j % 3); }

static inline float *make_matrix(long n) {
  float *a = (float *)malloc(n * n * sizeof *a);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i * n + j] = matrix_at(i, j);
  return a;
}

static inline float *make_vector(long n) {
  float *x = (float *)malloc(n * sizeof *x);
  for (long j = 0; j < n; j++)
    x[j] = vector_at(j);
  return x;
}

/* Every 97th element, in double. */
static inline void check_matvec(long n, const float *y, const float *z) {
  for (long i = 0; i < n; i += 97) {
    double along = 0, across = 0;
    for (long j = 0; j < n; j++) {
      along += (double)matrix_at(i, j) * vector_at(j);
      across += (double)matrix_at(j, i) * y[j];
    }
    expect_close("an element of A x", y[i], along, 1e-5);
    expect_close("an element of the transposed A times y", z[i], across, 1e-4);
  }
}
#endif
