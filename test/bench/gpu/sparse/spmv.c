/* A sparse matrix times a vector with OpenACC, row by row. */
#include "spmv.h"

static void product(int rows, int size, const int *restrict start, const int *restrict column,
                    const double *restrict value, const double *restrict x, double *restrict y) {
#pragma acc parallel loop present(start[0:rows + 1], column[0:size], value[0:size], x[0:rows], y[0:rows])
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

int main(int argc, char **argv) {
  struct matrix m = make_sparse(argc > 1 ? atoi(argv[1]) : 10000000);
  int rows = m.rows, size = m.start[rows], *start = m.start, *column = m.column;
  double *value = m.value, *x = m.x, *y = malloc(rows * sizeof *y), best = INFINITY;
#pragma acc data copyin(start[0:rows + 1], column[0:size], value[0:size], x[0:rows]) copyout(y[0:rows])
  for (int run = 0; run <= RUNS; run++) {
#pragma acc wait
    double begin = milliseconds();
    product(rows, size, start, column, value, x, y);
#pragma acc wait
    if (run > 0)
      best = fmin(best, milliseconds() - begin);
  }
  check_sparse(m, y);
  print_time("spmv", "openacc", best);
  return 0;
}
