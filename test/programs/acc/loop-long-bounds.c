// Loop variables beyond 32 bits.
// arc: items>1
#include "check.h"

#define N 331

int main(void) {
  static long a[N];
  long long from = 5000000000LL;

#pragma acc parallel loop copyout(a)
  for (long long i = from; i < from + N; i++)
    a[i - from] = (long)(i * 3);

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 3 * (from + i));
  return report();
}
