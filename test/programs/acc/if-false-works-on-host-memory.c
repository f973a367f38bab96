// A region whose if clause is false works on the host's memory, even while the data is on the device.
#include "check.h"
#include "separate.h"

#define N 77

int main(void) {
  int a[N], on_device = 0, separate = device_memory_is_separate();
  for (int i = 0; i < N; i++)
    a[i] = 1;

#pragma acc data copyin(a)
  {
#pragma acc parallel loop if(on_device) present(a)
    for (int i = 0; i < N; i++)
      a[i] = 2;
    EXPECT(a[5], 2);
    on_device = 1;
#pragma acc parallel loop if(on_device) present(a)
    for (int i = 0; i < N; i++)
      a[i] += 10;
    EXPECT(a[5], separate ? 2 : 12);
#pragma acc update self(a)
    EXPECT(a[5], separate ? 11 : 12);
  }
  return report();
}
