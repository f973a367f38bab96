// One loop takes all three levels of parallelism.
// arc: items>1
#include "check.h"

#define N 10007

int main(void) {
  static int a[N];

#pragma acc parallel loop gang worker vector num_gangs(3) num_workers(4) vector_length(32) copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = N - i;

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], N - i);
  return report();
}
