// The older spellings of clauses: present_or_copy, pcopyin, pcopyout, pcreate, update host.
// arc: items>1
#include "check.h"

#define N 149

int main(void) {
  int a[N], b[N], c[N], t[N];
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i;

#pragma acc data present_or_copy(a) pcopyin(b) pcopyout(c) pcreate(t)
  {
#pragma acc parallel loop pcopy(a) present_or_copyin(b) present_or_create(t)
    for (int i = 0; i < N; i++) {
      t[i] = a[i] + b[i];
      a[i] = -a[i];
    }
#pragma acc parallel loop present_or_copyout(c)
    for (int i = 0; i < N; i++)
      c[i] = t[i] + 1;
#pragma acc update host(a)
    EXPECT(a[N - 1], -(N - 1));
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, c[i], 2 * i + 1);
  return report();
}
