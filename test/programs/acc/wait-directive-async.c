// A wait directive with async lets one queue wait for others while the host goes on.
// arc: items>1, async
#include "check.h"

#define N 1511

int main(void) {
  static int a[N], b[N];

#pragma acc data copyout(a, b)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma acc wait(1) async(2)
#pragma acc parallel loop async(2)
    for (int i = 0; i < N; i++)
      b[i] = 2 * a[i];
#pragma acc wait(2)
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i);
    EXPECT_AT(i, b[i], 2 * i);
  }
  return report();
}
