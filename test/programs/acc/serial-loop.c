// The combined serial loop construct keeps a loop's order, so a recurrence is right.
#include "check.h"

#define N 90

int main(void) {
  long long fib[N] = {0, 1};

#pragma acc serial loop seq copy(fib)
  for (int i = 2; i < N; i++)
    fib[i] = fib[i - 1] + fib[i - 2];

  EXPECT(fib[N - 1], 1779979416004714189LL);
  return report();
}
