// A global scalar on the device: update brings it up to date.
// arc: items>1, gcc-offload-cannot update static variables of declare
#include "check.h"

#define N 67

static double factor = 1;
#pragma acc declare create(factor)

static void scale(double *a) {
#pragma acc parallel loop copy(a[0:N]) present(factor)
  for (int i = 0; i < N; i++)
    a[i] *= factor;
}

int main(void) {
  double a[N];
  for (int i = 0; i < N; i++)
    a[i] = i;
  factor = 3;
#pragma acc update device(factor)
  scale(a);
  factor = -0.5;
#pragma acc update device(factor)
  scale(a);
#pragma acc serial present(factor)
  factor += 1;
#pragma acc update self(factor)
  NEAR(factor, 0.5, 0);
  for (int i = 0; i < N; i++)
    NEAR_AT(i, a[i], -1.5 * i, 0);
  return report();
}
