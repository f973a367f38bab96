/* The sum of many floats with OpenACC. */
#include "sum.h"

static float sum_of(long n, const float *restrict x) {
  float sum = 0;
#pragma acc parallel loop reduction(+:sum) present(x[0:n])
  for (long i = 0; i < n; i++)
    sum += x[i];
  return sum;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1L << 27;
  float *x = make_numbers(n), sum;
  double best = INFINITY;
#pragma acc data copyin(x[0:n])
  {
    sum = sum_of(n, x);
    for (int run = 0; run < RUNS; run++) {
      double start = milliseconds();
      sum = sum_of(n, x);
      best = fmin(best, milliseconds() - start);
    }
  }
  check_sum(n, sum);
  print_time("sum", "openacc", best);
  free(x);
  return 0;
}
