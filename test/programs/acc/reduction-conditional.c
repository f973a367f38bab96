// A reduction in which few iterations take part, found through a condition.
// arc: items>1, gcc-cannot reduce an array on a condition: an internal error
#include "check.h"

#define N 7919

int main(void) {
  int primes = 0, last = -1, first = N, far[3] = {0, 0, -1};

#pragma acc parallel loop reduction(+:primes) reduction(max:last) reduction(min:first)
  for (int i = 2; i < N; i++) {
    int prime = 1;
    for (int d = 2; d * d <= i; d++)
      if (i % d == 0) {
        prime = 0;
        break;
      }
    if (prime) {
      primes++;
      if (i > last)
        last = i;
    }
    if (prime && i < first && i % 100 == 1)
      first = i;
  }

#pragma acc parallel loop reduction(max:far)
  for (int i = 0; i < N; i++) {
    if (i % 3 == 1 && i > far[i % 2])
      far[i % 2] = i;
  }

  EXPECT(primes, 999);
  EXPECT(last, 7907);
  EXPECT(first, 101);
  EXPECT(far[0], 7918);
  EXPECT(far[1], 7915);
  EXPECT(far[2], -1);
  return report();
}
