// A global array that exists for the device only: one region fills it, another reads it.
// arc: items>1
#include "check.h"

#define N 283

static int scratch[N];
#pragma acc declare device_resident(scratch)

int main(void) {
  static int a[N];
#pragma acc parallel loop
  for (int i = 0; i < N; i++)
    scratch[i] = 6 * i;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = scratch[N - 1 - i];
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 6 * (N - 1 - i));
  return report();
}
