// Clauses after device_type hold for that type of device only; all results are the same.
// arc: items>1, gcc-cannot no device_type clause
#include "check.h"

#define N 1201

int main(void) {
  static int a[N];

#pragma acc parallel loop gang worker vector copyout(a) num_gangs(4) device_type(nvidia) num_workers(4) vector_length(64) \
    device_type(radeon) vector_length(64) device_type(*) num_workers(2) vector_length(32)
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma acc parallel copy(a)
  {
#pragma acc loop device_type(nvidia, radeon) gang vector dtype(*) gang
    for (int i = 0; i < N; i++)
      a[i] += 1;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i + 1);
  return report();
}
