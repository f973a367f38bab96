// A reduction over a whole array: every element is reduced by itself.
// arc: items>1, gcc-cannot no array reductions
#include "check.h"

#define N 10007
#define BINS 5

int main(void) {
  int count[BINS] = {1, 2, 3, 4, 5}, want[BINS] = {1, 2, 3, 4, 5};
  for (int i = 0; i < N; i++)
    want[i * 7 % 11 % BINS]++;

#pragma acc parallel loop reduction(+:count)
  for (int i = 0; i < N; i++)
    count[i * 7 % 11 % BINS]++;

  for (int b = 0; b < BINS; b++)
    EXPECT_AT(b, count[b], want[b]);
  return report();
}
