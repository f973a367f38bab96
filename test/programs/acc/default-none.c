// With default(none) every variable is named.
// arc: items>1
#include "check.h"

#define N 119

int main(void) {
  int a[N], n = N, offset = 3;

#pragma acc parallel loop default(none) copyout(a) firstprivate(n, offset)
  for (int i = 0; i < n; i++)
    a[i] = i + offset;

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i + 3);
  return report();
}
