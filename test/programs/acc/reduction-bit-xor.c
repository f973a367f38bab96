// A bitwise-exclusive-or reduction.
// arc: items>1
#include "check.h"

#define N 2011

int main(void) {
  unsigned mix = 0xabcd, want = 0xabcd;
  for (unsigned i = 0; i < N; i++)
    want ^= i * 2654435761u;

#pragma acc parallel loop reduction(^:mix)
  for (unsigned i = 0; i < N; i++)
    mix ^= i * 2654435761u;

  EXPECT(mix, want);
  return report();
}
