// Sizes of the parallelism come from run-time expressions and from zero-cost constants.
// arc: items>1
#include "check.h"

#define N 5003

static void fill(int *a, int gangs, int workers) {
#pragma acc parallel loop gang worker vector num_gangs(gangs) num_workers(workers + 1) vector_length(gangs > 10 ? 64 : 32) \
    copyout(a[0:N])
  for (int i = 0; i < N; i++)
    a[i] = gangs * i + workers;
}

int main(void) {
  static int a[N];
  for (int gangs = 1; gangs < 100; gangs = 3 * gangs + 1) {
    fill(a, gangs, gangs % 4);
    for (int i = 0; i < N; i++)
      EXPECT_AT(i, a[i], gangs * i + gangs % 4);
  }
  return report();
}
