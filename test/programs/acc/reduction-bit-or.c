// A bitwise-or reduction.
// arc: items>1
#include "check.h"

#define N 1601

int main(void) {
  int any = 0x40000000;
  unsigned long wide = 0;

#pragma acc parallel loop reduction(|:any) reduction(|:wide)
  for (int i = 0; i < N; i++) {
    any |= i == 1500 ? 0x800 : i & 0x11;
    wide |= 1ul << (i % 61);
  }

  EXPECT(any, 0x40000811);
  EXPECT(wide, (1ul << 61) - 1);
  return report();
}
