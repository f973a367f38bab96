// A loop of a kernels construct without loop directive must not be run in parallel if it carries values.
#include "check.h"

#define N 151

int main(void) {
  static unsigned a[N], prefix[N];
  for (int i = 0; i < N; i++)
    a[i] = i * i + 1;

#pragma acc kernels copyin(a) copyout(prefix)
  {
    prefix[0] = a[0];
    for (int i = 1; i < N; i++)
      prefix[i] = prefix[i - 1] + a[i];
  }

  unsigned want = 0;
  for (int i = 0; i < N; i++) {
    want += a[i];
    EXPECT_AT(i, prefix[i], want);
  }
  return report();
}
