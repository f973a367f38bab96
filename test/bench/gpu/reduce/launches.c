/* 10 000 launches, each of which needs what the one before it left, with OpenACC. Microseconds for one of them. */
#include "../bench.h"

enum { n = 1024, launches = 10000 };

static void step(float *restrict a) {
#pragma acc parallel loop present(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

int main(void) {
  float *a = calloc(n, sizeof *a);
  double best = INFINITY;
#pragma acc data copy(a[0:n])
  for (int run = 0; run < 4; run++) {
#pragma acc wait
    double start = milliseconds();
    for (int k = 0; k < launches; k++)
      step(a);
#pragma acc wait
    if (run > 0)
      best = fmin(best, milliseconds() - start);
  }
  for (int i = 0; i < n; i++)
    expect_close("an element", a[i], 4.0 * launches, 0);
  print_time("launches", "openacc", 1e3 * best / launches);
  return 0;
}
