// A device function that each lane calls by itself.
// arc: items>1
#include "check.h"

#define N 997

#pragma acc routine seq
static int collatz(int n) {
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}

int main(void) {
  static int steps[N];

#pragma acc parallel loop copyout(steps)
  for (int i = 0; i < N; i++)
    steps[i] = collatz(i + 1);

  EXPECT(steps[0], 0);
  EXPECT(steps[26], 111);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, steps[i], collatz(i + 1));
  return report();
}
