// A constant table that declare copyin put on the device before main.
// arc: items>1
#include "check.h"

static const short sine[16] = {0, 38, 71, 92, 100, 92, 71, 38, 0, -38, -71, -92, -100, -92, -71, -38};
#pragma acc declare copyin(sine)

#define N 359

int main(void) {
  static int a[N];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = sine[i % 16] * 2;
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 2 * sine[i % 16]);
  return report();
}
