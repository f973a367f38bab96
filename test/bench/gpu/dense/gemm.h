/* C = alpha A B + beta C: the matrices, of small exact numbers, and the check of some elements. */
#ifndef GEMM_H
#define GEMM_H
#include "../bench.h"

#define ALPHA 2.0f
#define BETA 0.5f

static inline float a_at(long i, long k) { return (float)((i + 2 * k) % 5 - 2); }
static inline float b_at(long k, long j) { return (float)((3 * k + j) % 7 - 3); }

static inline float *make_matrix(long n, float (*element)(long, long)) {
  float *m = (float *)malloc(n * n * sizeof *m);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      m[i * n + j] = element(i, j);
  return m;
}

/* After one product into zeros. */
static inline void check_gemm(long n, const float *c) {
  for (long p = 0; p < 64; p++) {
    long i = p * p * 7919 % n, j = p * 104729 % n;
    double want = 0;
    for (long k = 0; k < n; k++)
      want += a_at(i, k) * b_at(k, j);
    if (c[i * n + j] != ALPHA * want)
      expect_close("an element of the product", c[i * n + j], ALPHA * want, 1e-6);
  }
}
#endif
