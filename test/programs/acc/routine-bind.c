// With bind a call in a region goes to another function than the same call on the host.
// arc: directives-needed, gcc-cannot bind on the host
#include "check.h"
#include <openacc.h>

#pragma acc routine seq nohost
static int on_device(int x) { return x + 1000; }

#pragma acc routine seq bind(on_device)
static int where(int x) { return x; }

int main(void) {
  int here = where(1), there = 0, no = 0;
#pragma acc serial copyout(there)
  there = where(2);
  EXPECT(here, 1);
  EXPECT(there, 1002);
#pragma acc serial copyout(there) if(no)
  there = where(3);
  EXPECT(there, 3);
  return report();
}
