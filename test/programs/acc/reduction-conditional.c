// A reduction in which few iterations take part, found through a condition.
// arc: items>1
#include "check.h"

#define N 7919

int main(void) {
  int primes = 0, last = -1;

#pragma acc parallel loop reduction(+:primes) reduction(max:last)
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
  }

  EXPECT(primes, 999);
  EXPECT(last, 7907);
  return report();
}
