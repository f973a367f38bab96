// There is a device of the current type; choosing it by number works.
// arc: items>1
#include "check.h"
#include <openacc.h>

int main(void) {
  acc_device_t type = acc_get_device_type();
  EXPECT(type != acc_device_none, 1);
  int count = acc_get_num_devices(type);
  EXPECT(count >= 1, 1);
  acc_set_device_num(0, type);
  EXPECT(acc_get_device_num(type), 0);
  EXPECT(acc_get_num_devices(acc_device_host) >= 1, 1);

  int a[50];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 50; i++)
    a[i] = i;
  EXPECT(a[49], 49);
  return report();
}
