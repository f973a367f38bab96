// Sum reductions over unsigned types wrap around.
// arc: items>1
#include "check.h"

#define N 1009

int main(void) {
  unsigned sum = 9, want = 9;
  unsigned long wide = 1, want_wide = 1;
  for (unsigned i = 0; i < N; i++) {
    want += i * 123456789u;
    want_wide += i * 12345678901234567ul;
  }

#pragma acc parallel loop reduction(+:sum) reduction(+:wide)
  for (unsigned i = 0; i < N; i++) {
    sum += i * 123456789u;
    wide += i * 12345678901234567ul;
  }

  EXPECT(sum, want);
  EXPECT(wide == want_wide, 1);
  return report();
}
