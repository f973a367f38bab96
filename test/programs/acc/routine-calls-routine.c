// Device functions that call device functions, one of them from two places and from the host too.
// arc: items>1
#include "check.h"

#define N 499

#pragma acc routine seq
static unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  return x;
}

#pragma acc routine seq
static unsigned twice(unsigned x) { return mix(mix(x) + 1); }

#pragma acc routine seq
static double unit(unsigned x) { return twice(x) / 4294967296.0; }

int main(void) {
  static unsigned a[N];
  static double b[N];

#pragma acc parallel loop copyout(a, b)
  for (int i = 0; i < N; i++) {
    a[i] = mix(i);
    b[i] = unit(i);
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], mix(i));
    NEAR_AT(i, b[i], unit(i), 0);
  }
  return report();
}
