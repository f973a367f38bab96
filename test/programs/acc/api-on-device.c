// Acc_on_device tells where the code runs, and the branch not taken does no harm.
#include "check.h"
#include <openacc.h>

int main(void) {
  int where[2] = {-1, -1}, no = 0;
  EXPECT(acc_on_device(acc_device_host) != 0, 1);
  EXPECT(acc_on_device(acc_device_not_host), 0);

#pragma acc serial copy(where)
  {
    where[0] = acc_on_device(acc_device_host) != 0;
    where[1] = acc_on_device(acc_device_not_host) != 0;
  }
  EXPECT(where[0] + where[1], 1);

#pragma acc serial copy(where) if(no)
  where[0] = acc_on_device(acc_device_host) != 0;
  EXPECT(where[0], 1);
  return report();
}
