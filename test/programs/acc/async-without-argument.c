// Async without an argument uses the default queue; wait without an argument waits for it.
// arc: items>1, async
#include "check.h"

#define N 1207

int main(void) {
  static int a[N];

#pragma acc enter data create(a) async
#pragma acc parallel loop present(a) async
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma acc kernels loop independent present(a) async
  for (int i = 0; i < N; i++)
    a[i] += 1;
#pragma acc exit data copyout(a) async
#pragma acc wait

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i + 1);
  return report();
}
