/* GEMVER: A += u1 v1 + u2 v2, x = transposed A y + z, w = A x. The numbers, and the check of some elements. */
#ifndef GEMVER_H
#define GEMVER_H
#include "../bench.h"

#define N 8192

static inline float vector_at(int which, long i) { return (float)((i * (which + 2)) % 3); }
static inline float matrix_at(long i, long j) { return (float)((i + j * 3) % 4); }

static inline float *make_vector(int which) {
  float *v = (float *)malloc(N * sizeof *v);
  for (long i = 0; i < N; i++)
    v[i] = vector_at(which, i);
  return v;
}

static inline float *make_matrix(void) {
  float *a = (float *)malloc((size_t)N * N * sizeof *a);
  for (long i = 0; i < N; i++)
    for (long j = 0; j < N; j++)
      a[i * N + j] = matrix_at(i, j);
  return a;
}

/* After `times` updates of A. Vectors 0 to 3 are u1, v1, u2, v2; 4 and 5 are y and z. */
static inline double updated(long i, long j, int times) {
  return matrix_at(i, j) + times * (vector_at(0, i) * vector_at(1, j) + vector_at(2, i) * vector_at(3, j));
}

static inline void check_gemver(const float *x, const float *w, int times) {
  for (long j = 0; j < N; j += 509) {
    double down = vector_at(5, j), along = 0;
    for (long i = 0; i < N; i++) {
      down += updated(i, j, times) * vector_at(4, i);
      along += updated(j, i, times) * x[i];
    }
    expect_close("an element of x", x[j], down, 1e-4);
    expect_close("an element of w", w[j], along, 1e-4);
  }
}
#endif
