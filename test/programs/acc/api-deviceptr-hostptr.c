// Addresses translate between host and device, also in the middle of data.
// arc: no-region
#include "check.h"
#include <openacc.h>

int main(void) {
  static double a[200];
#pragma acc enter data create(a)
  double *device = acc_deviceptr(a);
  EXPECT(device != 0, 1);
  EXPECT((double *)acc_deviceptr(a + 30) - device, 30);
  EXPECT((double *)acc_hostptr(device) == a, 1);
  EXPECT((double *)acc_hostptr(device + 199) == a + 199, 1);
#pragma acc exit data delete(a)
  return report();
}
