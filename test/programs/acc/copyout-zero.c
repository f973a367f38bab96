// With copyout(zero:) what the region does not write comes back as zero.
// arc: items>1, directives-needed, gcc-cannot no zero modifier
#include "check.h"

#define N 331

int main(void) {
  int a[N];
  double b[N];
  for (int i = 0; i < N; i++) {
    a[i] = 77;
    b[i] = 77;
  }

#pragma acc parallel loop copyout(zero: a, b)
  for (int i = 0; i < N; i += 3)
    a[i] = i;

  /* On a device that shares the host's memory zeroing is as unobservable as copying: both may be left out. */
  int zeroed = a[1] == 0;
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i % 3 == 0 ? i : zeroed ? 0 : 77);
    NEAR_AT(i, b[i], zeroed ? 0 : 77, 0);
  }
  return report();
}
