// Update moves values between host and device in the middle of a data region.
// arc: items>1
#include "check.h"

#define N 409

int main(void) {
  static int a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copyin(a) copyout(b)
  {
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      a[i] = -a[i];
#pragma acc update self(a)
    for (int i = 0; i < N; i++) {
      EXPECT_AT(i, a[i], -i);
      a[i] += 1000;
    }
#pragma acc update device(a)
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      b[i] = a[i];
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, b[i], 1000 - i);
  return report();
}
