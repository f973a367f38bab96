// A reduction over a section that is larger than any group's memory and does not start at the array's first element.
// arc: items>1, gcc-cannot no array reductions
#include "check.h"
#include <stdlib.h>

static void count(int n, int first, int length, long *sums) {
#pragma acc parallel loop reduction(+ : sums[first:length])
  for (int i = 0; i < n; i++)
    sums[first + (int)(i * 7919LL % length)] += i % 3 - 1;
}

int main(void) {
  int lengths[] = {1, 3, 2053, 30011}, first = 5, n = 20011;
  for (int c = 0; c < 4; c++) {
    int length = lengths[c];
    long *sums = malloc((length + 7) * sizeof *sums), *want = malloc((length + 7) * sizeof *want);
    for (int k = 0; k < length + 7; k++)
      sums[k] = want[k] = k;
    for (int i = 0; i < n; i++)
      want[first + (int)(i * 7919LL % length)] += i % 3 - 1;
    count(n, first, length, sums);
    for (int k = 0; k < length + 7; k++)
      EXPECT_AT(k, sums[k], want[k]);
    free(sums);
    free(want);
  }
  return report();
}
