// A parallel loop updates an array that a copy clause moves both ways.
// arc: items>1
#include "check.h"

#define N 1009

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc parallel loop copy(a)
  for (int i = 0; i < N; i++)
    a[i] = 3 * a[i] + 1;

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 3 * i + 1);
  return report();
}
