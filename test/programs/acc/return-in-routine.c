// A device function with several returns, also from inside loops and switches.
// arc: items>1
#include "check.h"

#define N 333

#pragma acc routine seq
static int classify(int n) {
  if (n < 0)
    return -1;
  switch (n % 3) {
  case 0:
    return 30;
  case 1:
    for (int d = 2; d <= n; d++) {
      if (d * d > n)
        return 31;
      if (n % d == 0)
        return d;
    }
    break;
  }
  return 99;
}

int main(void) {
  static int a[N];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = classify(i - 5);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], classify(i - 5));
  return report();
}
