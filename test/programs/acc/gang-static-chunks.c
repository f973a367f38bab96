// Gang(static:) gives chunks of a fixed size in turn.
// arc: items>1
#include "check.h"

#define N 229

int main(void) {
  static int a[N], b[N];

#pragma acc parallel loop gang(static:8) num_gangs(4) copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = i + 1;
#pragma acc parallel loop gang(static:*) vector copyout(b)
  for (int i = 0; i < N; i++)
    b[i] = i + 2;

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i + 1);
    EXPECT_AT(i, b[i], i + 2);
  }
  return report();
}
