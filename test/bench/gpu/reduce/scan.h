/* Prefix sums of whole numbers. */
#ifndef SCAN_H
#define SCAN_H
#include "../bench.h"

#define NUMBERS (1 << 26)
#define PIECE 4096 /* numbers that one iteration adds up */

static inline int *make_numbers(void) {
  int *a = (int *)malloc((size_t)NUMBERS * sizeof *a);
  for (int i = 0; i < NUMBERS; i++)
    a[i] = i % 7 - 2;
  return a;
}

static inline void check_scan(const int *a, const int *sums) {
  long sum = 0;
  for (int i = 0; i < NUMBERS; i++)
    if (sums[i] != (sum += a[i]))
      expect_close("a prefix sum", sums[i], sum, 0);
}
#endif
