// A sequential loop around a gang loop: each gang repeats its own iterations.
// arc: items>1
#include "check.h"

#define N 311

int main(void) {
  static int a[N];

#pragma acc parallel copy(a) num_gangs(5)
  {
#pragma acc loop seq
    for (int k = 1; k <= 4; k++) {
#pragma acc loop gang(static:*)
      for (int i = 0; i < N; i++)
        a[i] = a[i] * 3 + k;
    }
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 1 * 27 + 2 * 9 + 3 * 3 + 4);
  return report();
}
