// Update with if_present skips what is not on the device.
#include "check.h"

#define N 29

int main(void) {
  int there[N], absent[N];
  for (int i = 0; i < N; i++)
    there[i] = absent[i] = i;

#pragma acc data copyin(there)
  {
#pragma acc serial present(there)
    there[5] = 500;
#pragma acc update self(there, absent) if_present
    EXPECT(there[5], 500);
    EXPECT(absent[5], 5);
#pragma acc update device(absent) if_present
  }
  return report();
}
