// With capture the device has a copy of its own, even one that shares the host's memory.
// arc: items>1, directives-needed, gcc-cannot parse the capture modifier
#include "check.h"

#define N 157

int main(void) {
  int a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copyin(capture : a) copyout(b)
  {
    for (int i = 0; i < N; i++)
      a[i] = -1;
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < N; i++) {
      b[i] = a[i];
      a[i] += 5;
    }
    for (int i = 0; i < N; i++)
      EXPECT_AT(i, a[i], -1);
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], -1);
    EXPECT_AT(i, b[i], i);
  }
  return report();
}
