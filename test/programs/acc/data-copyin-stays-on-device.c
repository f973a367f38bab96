// What a region does to copyin data stays on the device.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 307

int main(void) {
  static int a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copyin(a) copyout(b)
  {
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      a[i] += 1000;
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      b[i] = a[i];
  }

  int shared = !device_memory_is_separate();
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], shared ? i + 1000 : i);
    EXPECT_AT(i, b[i], i + 1000);
  }
  return report();
}
