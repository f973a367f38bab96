// Host_data with if_present leaves addresses of absent data as they are; with if(false) all of them.
// arc: no-region
#include "check.h"
#include <openacc.h>

int main(void) {
  int there[10] = {0}, absent[10] = {0}, no = 0;
  int *host_there = there, *host_absent = absent;

#pragma acc data copyin(there)
  {
#pragma acc host_data use_device(there, absent) if_present
    {
      EXPECT(absent == host_absent, 1);
      EXPECT((void *)there == acc_deviceptr(host_there), 1);
    }
#pragma acc host_data use_device(there) if(no)
    EXPECT(there == host_there, 1);
  }
  return report();
}
