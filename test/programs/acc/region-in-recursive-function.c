// A recursive host function holds a region and a data region.
// arc: items>1
#include "check.h"

#define N 200

static void halves(int *a, int n, int depth) {
  if (n < 20)
    return;
#pragma acc data copy(a[0:n])
  {
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
      a[i] += depth;
    halves(a, n / 2, depth * 10);
  }
}

int main(void) {
  int a[N] = {0};
  halves(a, N, 1);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i < 25 ? 1111 : i < 50 ? 111 : i < 100 ? 11 : 1);
  return report();
}
