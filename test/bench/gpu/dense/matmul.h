/* The matrices of the product bench, of small exact numbers, and the check of some elements. */
#ifndef MATMUL_H
#define MATMUL_H
#include "../bench.h"

static inline float a_at(int i, int k) { return (float)((i + 2 * k) % 17 - 8); }
static inline float b_at(int k, int j) { return (float)((3 * k + j) % 13 - 5); }

static inline float *make_matrix(int n, float (*element)(int, int)) {
  float *m = (float *)malloc((size_t)n * n * sizeof *m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i * n + j] = element(i, j);
  return m;
}

static inline void check_product(int n, const float *c) {
  for (int p = 0; p < 64; p++) {
    int i = (int)((long)p * p * 7919 % n), j = (int)((long)p * 104729 % n);
    double want = 0;
    for (int k = 0; k < n; k++)
      want += a_at(i, k) * b_at(k, j);
    if (c[i * n + j] != want) {
      fprintf(stderr, "c[%d][%d] is %.9g, not %.9g\n", i, j, c[i * n + j], want);
      exit(1);
    }
  }
}
#endif
