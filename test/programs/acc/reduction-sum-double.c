// A sum reduction over doubles, each gang with several workers and lanes.
// arc: items>1
#include "check.h"

#define N 50021

int main(void) {
  static double a[N];
  double sum = 0.5;
  for (int i = 0; i < N; i++)
    a[i] = 1.0 / (i + 1);
  double want = 0.5;
  for (int i = N - 1; i >= 0; i--)
    want += a[i];

#pragma acc parallel loop gang worker vector num_workers(4) vector_length(32) reduction(+:sum) copyin(a)
  for (int i = 0; i < N; i++)
    sum += a[i];

  NEAR(sum, want, 1e-12);
  return report();
}
