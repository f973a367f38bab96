// Auto leaves it to the compiler: a recurrence must stay in order, a free loop may be parallel.
#include "check.h"

#define N 211

int main(void) {
  static unsigned a[N], b[N];
  a[0] = 1;

#pragma acc kernels copy(a) copyout(b)
  {
#pragma acc loop auto
    for (int i = 1; i < N; i++)
      a[i] = a[i - 1] * 3 + 1;
#pragma acc loop auto
    for (int i = 0; i < N; i++)
      b[i] = 7 * i;
  }

  unsigned want = 1;
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], want);
    EXPECT_AT(i, b[i], 7 * i);
    want = want * 3 + 1;
  }
  return report();
}
