// Independent promises that an indirect access has no conflicts.
// arc: items>1
#include "check.h"

#define N 1013

int main(void) {
  static int to[N], a[N];
  for (int i = 0; i < N; i++)
    to[i] = i * 10 % N;

#pragma acc kernels copyin(to) copyout(a)
  {
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      a[to[i]] = i;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i * 10 % N], i);
  return report();
}
