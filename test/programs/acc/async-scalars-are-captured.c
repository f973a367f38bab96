// A scalar argument has the value that it had when the region was put on the queue.
// arc: items>1, async
#include "check.h"

#define N 501

int main(void) {
  static int a[5][N];

#pragma acc data copyout(a)
  {
    for (int k = 0; k < 5; k++) {
      int offset = 100 * k;
#pragma acc parallel loop async(1)
      for (int i = 0; i < N; i++)
        a[k][i] = offset + i;
      offset = -1;
    }
#pragma acc wait(1)
  }

  for (int k = 0; k < 5; k++)
    for (int i = 0; i < N; i++)
      EXPECT_AT(k * N + i, a[k][i], 100 * k + i);
  return report();
}
