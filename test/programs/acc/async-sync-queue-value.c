// Async with acc_async_sync is synchronous, with acc_async_noval uses the default queue.
// arc: items>1
#include "check.h"
#include <openacc.h>

#define N 307

int main(void) {
  static int a[N];

#pragma acc data copy(a)
  {
#pragma acc parallel loop async(acc_async_sync)
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma acc update self(a)
    EXPECT(a[N - 1], N - 1);
#pragma acc parallel loop async(acc_async_noval)
    for (int i = 0; i < N; i++)
      a[i] += 1;
#pragma acc wait(acc_async_noval)
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i + 1);
  return report();
}
