// A data region inside a host loop opens and closes in every iteration.
// arc: items>1
#include "check.h"

#define N 131

int main(void) {
  int a[N] = {0};

  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < N; i++)
      a[i] += 1;
#pragma acc data copy(a)
    {
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
        a[i] *= 2;
    }
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 62);
  return report();
}
