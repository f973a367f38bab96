/* The product of two square matrices with OpenACC. */
#include "matmul.h"

static void multiply(int n, const float *restrict a, const float *restrict b, float *restrict c) {
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n], c[0:n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2048;
  size_t size = (size_t)n * n;
  float *a = make_matrix(n, a_at), *b = make_matrix(n, b_at), *c = malloc(size * sizeof *c);
  double best = INFINITY;
#pragma acc data copyin(a[0:size], b[0:size]) copyout(c[0:size])
  {
    multiply(n, a, b, c);
    for (int run = 0; run < RUNS; run++) {
#pragma acc wait
      double start = milliseconds();
      multiply(n, a, b, c);
#pragma acc wait
      best = fmin(best, milliseconds() - start);
    }
  }
  check_product(n, c);
  print_time("matmul", "openacc", best);
  free(a);
  free(b);
  free(c);
  return 0;
}
