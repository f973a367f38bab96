// Division and remainder of negative and unsigned integers, as C defines them.
// arc: items>1
#include "check.h"

#define N 401

int main(void) {
  static int q[N], r[N], uq[N];
  static long lq[N];

#pragma acc parallel loop copyout(q, r, uq, lq)
  for (int i = 0; i < N; i++) {
    int a = i - 200, b = i % 7 - 9;
    q[i] = a / b;
    r[i] = a % b;
    uq[i] = (int)((unsigned)a / 3u % 1000u);
    lq[i] = (long)a * (1L << 33) / b;
  }

  for (int i = 0; i < N; i++) {
    int a = i - 200, b = i % 7 - 9;
    EXPECT_AT(i, q[i], a / b);
    EXPECT_AT(i, r[i], a % b);
    EXPECT_AT(i, q[i] * b + r[i], a);
    EXPECT_AT(i, uq[i], (unsigned)a / 3u % 1000u);
    EXPECT_AT(i, lq[i], (long)a * (1L << 33) / b);
  }
  return report();
}
