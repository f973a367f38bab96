// The runtime library starts and stops a device; regions run before and after.
// arc: items>1
#include "check.h"
#include <openacc.h>

static int sum_of_squares(int n) {
  int sum = 0;
#pragma acc parallel loop reduction(+:sum)
  for (int i = 0; i < n; i++)
    sum += i * i;
  return sum;
}

int main(void) {
  acc_device_t type = acc_get_device_type();
  acc_init(type);
  EXPECT(sum_of_squares(101), 338350);
  acc_shutdown(type);
  acc_init(type);
  EXPECT(sum_of_squares(101), 338350);
  return report();
}
