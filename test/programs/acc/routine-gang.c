// A gang routine holds a gang loop and is called from a parallel construct outside any loop.
// arc: items>1
#include "check.h"

#define N 1301

#pragma acc routine gang
static void fill(int *a, int n) {
#pragma acc loop gang vector
  for (int i = 0; i < n; i++)
    a[i] = 5 * i;
}

int main(void) {
  static int a[N];

#pragma acc parallel copyout(a) num_gangs(6)
  fill(a, N);

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 5 * i);
  return report();
}
