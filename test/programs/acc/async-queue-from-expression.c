// Blocks of an array go round several queues whose numbers are computed: transfers and kernels overlap.
// arc: items>1, async
#include "check.h"

#define N 10007
#define BLOCK 1500

int main(void) {
  static float a[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data create(a)
  {
    int queue = 0;
    for (int from = 0; from < N; from += BLOCK) {
      int count = from + BLOCK < N ? BLOCK : N - from;
#pragma acc update device(a[from:count]) async(queue % 3 + 1)
#pragma acc parallel loop present(a) async(queue % 3 + 1)
      for (int i = from; i < from + count; i++)
        a[i] = 2 * a[i] + 1;
#pragma acc update self(a[from:count]) async(queue % 3 + 1)
      queue++;
    }
#pragma acc wait(1, 2, 3)
  }

  for (int i = 0; i < N; i++)
    NEAR_AT(i, a[i], 2 * i + 1, 0);
  return report();
}
