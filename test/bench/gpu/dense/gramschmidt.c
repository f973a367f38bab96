/* Gram-Schmidt in one region, with OpenACC: its outer loop runs in order. */
#include "gramschmidt.h"

static float a[N][N], q[N][N], r[N][N];

static void gramschmidt(void) {
#pragma acc parallel present(a, q, r)
#pragma acc loop seq
  for (int k = 0; k < N; k++) {
    float norm = 0;
#pragma acc loop reduction(+ : norm)
    for (int i = 0; i < N; i++)
      norm += a[i][k] * a[i][k];
    r[k][k] = sqrtf(norm);
#pragma acc loop
    for (int i = 0; i < N; i++)
      q[i][k] = a[i][k] / r[k][k];
#pragma acc loop
    for (int j = k + 1; j < N; j++) {
      float sum = 0;
      for (int i = 0; i < N; i++)
        sum += q[i][k] * a[i][j];
      r[k][j] = sum;
      for (int i = 0; i < N; i++)
        a[i][j] -= q[i][k] * sum;
    }
  }
}

int main(void) {
  double best = INFINITY;
#pragma acc data create(a, r) copyout(q)
  for (int run = 0; run <= RUNS; run++) {
    fill(a);
#pragma acc update device(a)
#pragma acc wait
    double start = milliseconds();
    gramschmidt();
#pragma acc wait
    if (run > 0)
      best = fmin(best, milliseconds() - start);
  }
  check_columns(q);
  print_time("gramschmidt", "openacc", best);
  return 0;
}
