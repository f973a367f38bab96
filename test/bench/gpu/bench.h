/* Timing and checking for the programs of this folder, C and CUDA alike. */
#ifndef BENCH_H
#define BENCH_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS 20

static inline double milliseconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

static inline void expect_close(const char *what, double got, double want, double relative) {
  if (fabs(got - want) <= relative * fabs(want))
    return;
  fprintf(stderr, "%s is %.9g, not %.9g\n", what, got, want);
  exit(1);
}

static inline void print_time(const char *name, const char *variant, double best) {
  printf("time %s %s %.4f\n", name, variant, best);
}
#endif
