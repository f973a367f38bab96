// A large global array of which a device function uses the section that a data clause put on the device.
// arc: items>1, gcc-cannot no linked variables in routines
#include "check.h"

#define N (1 << 16)

static double big[N];
#pragma acc declare link(big)

#pragma acc routine seq
static double sample(int i) { return big[i] + big[i + 1]; }

int main(void) {
  static double a[500];
  for (int i = 0; i < N; i++)
    big[i] = i;

#pragma acc parallel loop copyin(big[1000:501]) copyout(a)
  for (int i = 0; i < 500; i++)
    a[i] = sample(1000 + i);

  for (int i = 0; i < 500; i++)
    NEAR_AT(i, a[i], 2001 + 2 * i, 0);
  return report();
}
