/* C = alpha A B + beta C with OpenACC, as the formula has it: the inner loop adds to the element of C. */
#include "gemm.h"

static void multiply(int n, float alpha, float beta, const float *a, const float *b, float *c) {
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n], c[0:n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i * n + j] *= beta;
      for (int k = 0; k < n; k++)
        c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
    }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1024;
  size_t size = (size_t)n * n;
  float *a = make_matrix(n, a_at), *b = make_matrix(n, b_at), *c = calloc(size, sizeof *c);
  double best = INFINITY;
#pragma acc data copyin(a[0:size], b[0:size]) copy(c[0:size])
  {
    multiply(n, ALPHA, BETA, a, b, c);
#pragma acc update self(c[0:size])
    check_gemm(n, c);
    for (int run = 0; run < RUNS; run++) {
#pragma acc wait
      double start = milliseconds();
      multiply(n, ALPHA, BETA, a, b, c);
#pragma acc wait
      best = fmin(best, milliseconds() - start);
    }
  }
  print_time("gemm", "openacc", best);
  return 0;
}
