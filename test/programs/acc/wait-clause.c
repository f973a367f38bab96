// A wait clause on a compute construct orders it after another queue's work.
// arc: items>1, async
#include "check.h"

#define N 2017

int main(void) {
  static int a[N], b[N], c[N];

#pragma acc data create(a, b) copyout(c)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma acc parallel loop async(2)
    for (int i = 0; i < N; i++)
      b[i] = 10 * i;
#pragma acc parallel loop async(3) wait(1, 2)
    for (int i = 0; i < N; i++)
      c[i] = a[i] + b[N - 1 - i];
#pragma acc serial wait(3) present(c)
    c[0] += 1;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, c[i], i + 10 * (N - 1 - i) + (i == 0));
  return report();
}
