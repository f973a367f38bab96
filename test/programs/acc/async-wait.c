// Two queues work independently; wait makes the host see both.
// arc: items>1, async
#include "check.h"

#define N 3001

int main(void) {
  static int a[N], b[N];

#pragma acc data copyout(a, b)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma acc parallel loop async(2)
    for (int i = 0; i < N; i++)
      b[i] = -i;
#pragma acc parallel loop async(1)
    for (int i = 0; i < N; i++)
      a[i] += 1;
#pragma acc wait
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i + 1);
    EXPECT_AT(i, b[i], -i);
  }
  return report();
}
