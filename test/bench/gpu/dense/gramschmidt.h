/* Gram-Schmidt: A = Q R with orthonormal columns of Q. */
#ifndef GRAMSCHMIDT_H
#define GRAMSCHMIDT_H
#include "../bench.h"

#define N 512

/* Far from singular, so that rounding leaves the columns orthogonal. */
static inline void fill(float (*a)[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = (float)((i * 7 + j * 13) % 31) / 310 + (i == j ? 4 : 0);
}

/* The product of some columns of Q with each other, in double. */
static inline void check_columns(float (*q)[N]) {
  for (int j = 0; j < N; j += 37)
    for (int k = 0; k <= j; k += 37) {
      double product = 0;
      for (int i = 0; i < N; i++) product += (double)q[i][j] * q[i][k];
      expect_close("1 and the product of two columns of Q", 1 + product, j == k ? 2 : 1, 1e-4);
    }
}
#endif
