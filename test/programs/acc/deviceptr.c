// A region works on memory that the program allocated on the device itself.
// arc: items>1
#include "check.h"
#include <openacc.h>

#define N 397

int main(void) {
  float a[N];
  float *d = acc_malloc(sizeof a);
  for (int i = 0; i < N; i++)
    a[i] = i;
  acc_memcpy_to_device(d, a, sizeof a);

#pragma acc parallel loop deviceptr(d)
  for (int i = 0; i < N; i++)
    d[i] = 2 * d[i] + 1;
#pragma acc data deviceptr(d)
  {
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      d[i] += 1;
  }

  acc_memcpy_from_device(a, d, sizeof a);
  acc_free(d);
  for (int i = 0; i < N; i++)
    NEAR_AT(i, a[i], 2 * i + 2, 0);
  return report();
}
