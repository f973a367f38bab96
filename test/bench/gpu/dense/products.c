/* SYRK, 2MM and many small products with OpenACC. */
#include "products.h"

/* The lower half of A times transposed A. */
static void syrk(const float *restrict a, float *restrict c) {
#pragma acc parallel loop present(a[0:N * N], c[0:N * N])
  for (int i = 0; i < N; i++)
#pragma acc loop
    for (int j = 0; j <= i; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i * N + k] * a[j * N + k];
      c[i * N + j] = sum;
    }
}

static void multiply(const float *restrict a, const float *restrict b, float *restrict c) {
#pragma acc parallel loop collapse(2) present(a[0:N * N], b[0:N * N], c[0:N * N])
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i * N + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
}

static void small(const float (*restrict a)[SMALL][SMALL], const float (*restrict b)[SMALL][SMALL], float (*restrict c)[SMALL][SMALL]) {
#pragma acc parallel loop collapse(3) present(a[0:BATCH], b[0:BATCH], c[0:BATCH])
  for (int n = 0; n < BATCH; n++)
    for (int i = 0; i < SMALL; i++)
      for (int j = 0; j < SMALL; j++) {
        float sum = 0;
        for (int k = 0; k < SMALL; k++)
          sum += a[n][i][k] * b[n][k][j];
        c[n][i][j] = sum;
      }
}

int main(void) {
  float *a = make(0, N, N), *b = make(1, N, N), *c = make(2, N, N), *ab = make(3, N, N), *d = make(3, N, N);
  float *s = make(1, N, N);
  typedef float matrix[SMALL][SMALL];
  matrix *p = (matrix *)make(0, BATCH * SMALL, SMALL), *q = (matrix *)make(1, BATCH * SMALL, SMALL);
  matrix *r = malloc(BATCH * sizeof *r);
  double best[3] = {INFINITY, INFINITY, INFINITY};
#pragma acc data copyin(a[0:N * N], b[0:N * N], c[0:N * N], p[0:BATCH], q[0:BATCH]) copy(s[0:N * N]) \
    copyout(ab[0:N * N], d[0:N * N], r[0:BATCH])
  for (int run = 0; run <= RUNS; run++) {
#pragma acc wait
    double start = milliseconds();
    syrk(a, s);
#pragma acc wait
    double first = milliseconds();
    multiply(a, b, ab);
    multiply(ab, c, d);
#pragma acc wait
    double second = milliseconds();
    small(p, q, r);
#pragma acc wait
    double third = milliseconds();
    if (run == 0)
      continue;
    best[0] = fmin(best[0], first - start);
    best[1] = fmin(best[1], second - first);
    best[2] = fmin(best[2], third - second);
  }
  check_syrk(s);
  check_twomm(ab, d);
  check_batch((float *)r);
  print_time("syrk", "openacc", best[0]);
  print_time("twomm", "openacc", best[1]);
  print_time("batch", "openacc", best[2]);
  return 0;
}
