// The variable of an inner sequential loop, declared outside the region, is private to each lane.
// arc: items>1
#include "check.h"

#define N 401

int main(void) {
  static int a[N];
  int k;

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) {
    int sum = 0;
    for (k = 0; k <= i % 9; k++)
      sum += k;
    a[i] = sum;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i % 9 * (i % 9 + 1) / 2);
  return report();
}
