// A minimum reduction over long long values beyond 32 bits.
// arc: items>1
#include "check.h"

#define N 911

int main(void) {
  long long least = 0;

#pragma acc parallel loop reduction(min:least)
  for (int i = 0; i < N; i++) {
    long long value = -5000000000LL - (i * 53 % N) * 1000000000LL;
    least = value < least ? value : least;
  }

  EXPECT(least, -5000000000LL - (N - 1) * 1000000000LL);
  return report();
}
