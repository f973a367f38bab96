// A loop over gangs and workers with 128 workers: index arithmetic and launch geometry must agree.
// arc: items>1
#include "check.h"

#define N 1024

int main(void) {
  static float x[N], y[N];
  for (int i = 0; i < N; i++) {
    x[i] = i;
    y[i] = 1;
  }

#pragma acc parallel loop gang worker num_workers(128) copyin(x) copy(y)
  for (int i = 0; i < N; i++)
    y[i] += 2 * x[i];

  for (int i = 0; i < N; i++)
    NEAR_AT(i, y[i], 2.0 * i + 1, 0);
  return report();
}
