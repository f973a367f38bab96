// Acc_async_test and the waiting functions of the runtime library.
// arc: items>1, async
#include "check.h"
#include <openacc.h>

#define N 4001

int main(void) {
  static int a[N], b[N];
  acc_init(acc_device_default);

#pragma acc data copyout(a, b)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < N; i++)
      a[i] = i;
    acc_wait(1);
    EXPECT(acc_async_test(1) != 0, 1);
#pragma acc parallel loop async(1)
    for (int i = 0; i < N; i++)
      a[i] += 5;
    acc_wait_async(1, 2);
#pragma acc parallel loop async(2)
    for (int i = 0; i < N; i++)
      b[i] = a[i];
    acc_wait_all_async(3);
#pragma acc parallel loop async(3)
    for (int i = 0; i < N; i++)
      b[i] += 1;
    acc_wait_all();
    EXPECT(acc_async_test_all() != 0, 1);
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, b[i], i + 6);
  return report();
}
