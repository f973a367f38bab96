// A function defined in the same file needs no routine directive to be called in a region.
// arc: items>1
#include "check.h"

#define N 203

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

static inline int mirrored(int i) { return clamp(N - 1 - i, 10, 150); }

int main(void) {
  static int a[N];

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = mirrored(i) + clamp(i, 50, 60);

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], mirrored(i) + clamp(i, 50, 60));
  return report();
}
