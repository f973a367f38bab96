// The set directive chooses the default queue and the device.
// arc: items>1, async, directives-needed, gcc-cannot no set directive
#include "check.h"
#include <openacc.h>

#define N 83

int main(void) {
  int a[N], queue = 6;
#pragma acc set default_async(queue + 1)
#pragma acc set device_num(0)
  EXPECT(acc_get_default_async(), 7);
#pragma acc data copyout(a)
  {
#pragma acc parallel loop async
    for (int i = 0; i < N; i++)
      a[i] = i * i;
#pragma acc wait(7)
  }
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i * i);
  return report();
}
