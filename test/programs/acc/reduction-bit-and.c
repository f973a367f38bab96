// A bitwise-and reduction.
// arc: items>1
#include "check.h"

#define N 1801

int main(void) {
  static unsigned a[N];
  for (int i = 0; i < N; i++)
    a[i] = 0xf0f0ffffu | (unsigned)i << 8;
  a[900] &= ~0x10u;
  a[1800] &= ~0x8000u;
  unsigned all = 0xfffffff7u;
  long long wide = -1;

#pragma acc parallel loop reduction(&:all, wide) copyin(a)
  for (int i = 0; i < N; i++) {
    all &= a[i];
    wide &= ~(1LL << (i % 40));
  }

  unsigned want = 0xfffffff7u;
  for (int i = 0; i < N; i++)
    want &= a[i];
  EXPECT(all, want);
  EXPECT(wide, ~((1LL << 40) - 1));
  return report();
}
