// Acc_copyin and acc_copyout around a region that names the data as present.
// arc: items>1
#include "check.h"
#include <openacc.h>

#define N 263

int main(void) {
  double a[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

  double *device = acc_copyin(a, sizeof a);
  EXPECT(device == acc_deviceptr(a), 1);
#pragma acc parallel loop present(a)
  for (int i = 0; i < N; i++)
    a[i] = a[i] / 4;
  acc_copyout(a, sizeof a);

  for (int i = 0; i < N; i++)
    NEAR_AT(i, a[i], i / 4.0, 0);
  return report();
}
