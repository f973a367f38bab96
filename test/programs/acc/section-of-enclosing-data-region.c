// A section named by the enclosing data construct is all that a region inside uses: the rest is not copied for it.
// arc: items>1, gcc-offload-cannot leave the rest out
#include "check.h"

#define N 600

int main(void) {
  static int a[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copy(a[200:300])
  {
#pragma acc parallel loop
    for (int i = 200; i < 500; i++)
      a[i] = -a[i];
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i >= 200 && i < 500 ? -i : i);
  return report();
}
