// Async and wait clauses on a data construct: its transfers join a queue.
// arc: items>1, async, gcc-cannot no async on data
#include "check.h"

#define N 1213

int main(void) {
  static int a[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copy(a) async(2)
  {
#pragma acc parallel loop async(2)
    for (int i = 0; i < N; i++)
      a[i] = 3 * a[i];
  }
#pragma acc data copy(a) wait(2)
  {
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      a[i] += 1;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 3 * i + 1);
  return report();
}
