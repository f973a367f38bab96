// Two pointers into the same array in one region: input and output overlap in memory but not in use.
// arc: items>1
#include "check.h"

#define N 400

int main(void) {
  static int a[2 * N];
  int *even = a, *odd = a + 1;
  for (int i = 0; i < N; i++)
    a[2 * i] = i;

#pragma acc data copy(a)
  {
#pragma acc parallel loop present(even[0:2 * N - 1], odd[0:2 * N - 1])
    for (int i = 0; i < N; i++)
      odd[2 * i] = even[2 * i] * 3;
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[2 * i], i);
    EXPECT_AT(i, a[2 * i + 1], 3 * i);
  }
  return report();
}
