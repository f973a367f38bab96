// A scalar in a copy clause comes back; one in a copyin clause does not have to; one in copyout need not go in.
#include "check.h"

int main(void) {
  double in = 2.5, both = 10, out = -1;

#pragma acc serial copyin(in) copy(both) copyout(out)
  {
    out = in * 4;
    both += out;
  }

  NEAR(out, 10, 0);
  NEAR(both, 20, 0);
  return report();
}
