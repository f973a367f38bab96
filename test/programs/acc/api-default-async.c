// The default queue is read and set by the runtime library.
// arc: items>1, async, directives-needed, gcc-cannot no acc_set_default_async
#include "check.h"
#include <openacc.h>

#define N 677

int main(void) {
  static int a[N];
  acc_set_default_async(5);
  EXPECT(acc_get_default_async(), 5);

#pragma acc data copyout(a)
  {
#pragma acc parallel loop async
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma acc wait(5)
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i);
  return report();
}
