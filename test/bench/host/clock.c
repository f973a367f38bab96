/*
 * clock.c: what a program under LD_PRELOAD takes of the processors between its last two looks at the clock. On a busy
 * machine that says more than the time that passes there.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

static double earlier, last;

int timespec_get(struct timespec *now, int base) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  earlier = last;
  last = 1e3 * (double)used.tv_sec + 1e-6 * (double)used.tv_nsec;
  clock_gettime(CLOCK_REALTIME, now);
  return base;
}

__attribute__((destructor)) static void tell(void) { fprintf(stderr, "cpu: %.3f ms\n", last - earlier); }
