/* The numbers of the sum bench: multiples of 1/8, whose sum is known. A float sum of so many is not exact. */
#ifndef SUM_H
#define SUM_H
#include "../bench.h"

static inline float *make_numbers(long n) {
  float *x = (float *)malloc(n * sizeof *x);
  for (long i = 0; i < n; i++)
    x[i] = 0.125f * (i % 8);
  return x;
}

static inline void check_sum(long n, float sum) {
  long rest = n % 8;
  expect_close("sum", sum, 0.125 * (n / 8 * 28.0 + rest * (rest - 1) / 2), 1e-3);
}
#endif
