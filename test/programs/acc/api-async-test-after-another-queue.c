// A queue that another one has waited for is done once that other one is.
// arc: items>1, async, directives-needed
#include "check.h"
#include <openacc.h>

#define N 100

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++)
    a[i] = 0;
  int busy = 0;
#pragma acc data copy(a)
  for (int round = 0; round < 40; round++) {
#pragma acc parallel loop async(1) present(a)
    for (int i = 0; i < N; i++)
    a[i] += i;
    acc_wait_async(1, 2);
#pragma acc update self(a) async(2)
    acc_wait(2);
    busy += !acc_async_test(1);
  }
  EXPECT(busy, 0);
  EXPECT(a[3], 120);
  return report();
}
