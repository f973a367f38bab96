// With default(present) arrays that are not named must already be on the device.
// arc: items>1
#include "check.h"

#define N 313

int main(void) {
  static double a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc enter data copyin(a) create(b)
#pragma acc parallel loop default(present)
  for (int i = 0; i < N; i++)
    b[i] = 2 * a[i];
#pragma acc kernels default(present)
  for (int i = 0; i < N; i++)
    b[i] += 1;
#pragma acc exit data copyout(b) delete(a)

  for (int i = 0; i < N; i++)
    NEAR_AT(i, b[i], 2 * i + 1, 0);
  return report();
}
