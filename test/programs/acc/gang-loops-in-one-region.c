// Two gang loops in one parallel construct; no gang waits for another, so they touch different arrays.
// arc: items>1
#include "check.h"

#define N 613

int main(void) {
  static int a[N], b[N];

#pragma acc parallel copyout(a, b)
  {
#pragma acc loop gang vector
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma acc loop gang vector
    for (int i = N - 1; i >= 0; i--)
      b[i] = 2 * i;
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i);
    EXPECT_AT(i, b[i], 2 * i);
  }
  return report();
}
