// One reduction over many trip counts around the sizes of blocks.
// arc: items>1
#include "check.h"

static long sum_to(int n) {
  long sum = 1000;
#pragma acc parallel loop reduction(+:sum)
  for (int i = 1; i <= n; i++)
    sum += i;
  return sum;
}

int main(void) {
  int counts[] = {0, 1, 2, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 4097, 100003};
  for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++) {
    long n = counts[c];
    EXPECT_AT(n, sum_to(n), 1000 + n * (n + 1) / 2);
  }
  return report();
}
