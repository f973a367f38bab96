/* One Jacobi pair, the 5-point stencil and the copy back, with OpenACC. */
#include "jacobi.h"

static void pair(int n, float *restrict a, float *restrict b) {
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n])
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i * n + j] = 0.25f * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n])
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      a[i * n + j] = b[i * n + j];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 8192;
  size_t size = (size_t)n * n;
  float *a = make_plate(n), *b = malloc(size * sizeof *b);
  double best = INFINITY;
#pragma acc data copy(a[0:size]) create(b[0:size])
  {
    pair(n, a, b);
    for (int run = 0; run < RUNS; run++) {
#pragma acc wait
      double start = milliseconds();
      pair(n, a, b);
#pragma acc wait
      best = fmin(best, milliseconds() - start);
    }
  }
  check_plate(n, RUNS + 1, a);
  print_time("jacobi", "openacc", best);
  free(a);
  free(b);
  return 0;
}
