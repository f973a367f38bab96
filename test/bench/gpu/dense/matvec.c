/* A matrix times a vector, and the transposed matrix times the result, with OpenACC: nothing says how to share it out. */
#include "matvec.h"

static void rows(int n, const float *restrict a, const float *restrict x, float *restrict y) {
#pragma acc parallel loop present(a[0:n * n], x[0:n], y[0:n])
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

static void columns(int n, const float *restrict a, const float *restrict y, float *restrict z) {
#pragma acc parallel loop present(a[0:n * n], y[0:n], z[0:n])
  for (int j = 0; j < n; j++) {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += a[i * n + j] * y[i];
    z[j] = sum;
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4096;
  size_t size = (size_t)n * n;
  float *a = make_matrix(n), *x = make_vector(n), *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
  double best[2] = {INFINITY, INFINITY};
#pragma acc data copyin(a[0:size], x[0:n]) copyout(y[0:n], z[0:n])
  for (int run = 0; run <= RUNS; run++) {
#pragma acc wait
    double start = milliseconds();
    rows(n, a, x, y);
#pragma acc wait
    double middle = milliseconds();
    columns(n, a, y, z);
#pragma acc wait
    double end = milliseconds();
    if (run == 0)
      continue;
    best[0] = fmin(best[0], middle - start);
    best[1] = fmin(best[1], end - middle);
  }
  check_matvec(n, y, z);
  print_time("rows", "openacc", best[0]);
  print_time("columns", "openacc", best[1]);
  return 0;
}
