// The loops of a kernels construct run one after the other: the second sees the first's results.
// arc: items>1
#include "check.h"

#define N 1013

int main(void) {
  int a[N], b[N];

#pragma acc kernels copyout(a, b)
  {
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      a[i] = 2 * i;
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      b[i] = a[N - 1 - i] + 1;
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], 2 * i);
    EXPECT_AT(i, b[i], 2 * (N - 1 - i) + 1);
  }
  return report();
}
