/* GEMVER with OpenACC: nothing says how to share out the loops. */
#include "gemver.h"

static void gemver(float (*restrict a)[N], const float *restrict u1, const float *restrict v1, const float *restrict u2,
                   const float *restrict v2, const float *restrict y, const float *restrict z, float *restrict x,
                   float *restrict w) {
#pragma acc parallel loop present(a[0:N], u1[0:N], v1[0:N], u2[0:N], v2[0:N])
  for (int i = 0; i < N; i++)
#pragma acc loop
    for (int j = 0; j < N; j++)
      a[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
#pragma acc parallel loop present(a[0:N], y[0:N], z[0:N], x[0:N])
  for (int j = 0; j < N; j++) {
    float sum = z[j];
    for (int i = 0; i < N; i++)
      sum += a[i][j] * y[i];
    x[j] = sum;
  }
#pragma acc parallel loop present(a[0:N], x[0:N], w[0:N])
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int j = 0; j < N; j++)
      sum += a[i][j] * x[j];
    w[i] = sum;
  }
}

int main(void) {
  float *flat = make_matrix(), *u1 = make_vector(0), *v1 = make_vector(1), *u2 = make_vector(2), *v2 = make_vector(3);
  float(*a)[N] = (float(*)[N])flat, *y = make_vector(4), *z = make_vector(5), *x = make_vector(6), *w = make_vector(6);
  double best = INFINITY;
#pragma acc data copyin(a[0:N], u1[0:N], v1[0:N], u2[0:N], v2[0:N], y[0:N], z[0:N]) copyout(x[0:N], w[0:N])
  for (int run = 0; run <= RUNS; run++) {
#pragma acc wait
    double start = milliseconds();
    gemver(a, u1, v1, u2, v2, y, z, x, w);
#pragma acc wait
    if (run > 0)
      best = fmin(best, milliseconds() - start);
  }
  check_gemver(x, w, RUNS + 1);
  print_time("gemver", "openacc", best);
  return 0;
}
