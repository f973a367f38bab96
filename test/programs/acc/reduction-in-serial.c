// A reduction clause on a serial loop changes nothing.
#include "check.h"

#define N 97

int main(void) {
  int sum = 1;
#pragma acc serial loop reduction(+:sum)
  for (int i = 0; i < N; i++)
    sum += i;
  EXPECT(sum, 1 + N * (N - 1) / 2);
  return report();
}
