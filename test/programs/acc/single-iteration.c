// Loops of one iteration, at each level of parallelism.
#include "check.h"

int main(void) {
  int a[1] = {4}, b[1][1][1] = {{{0}}};

#pragma acc parallel loop copy(a)
  for (int i = 0; i < 1; i++)
    a[i] += 3;
#pragma acc parallel loop gang copy(b)
  for (int i = 0; i < 1; i++) {
#pragma acc loop worker
    for (int j = 0; j < 1; j++) {
#pragma acc loop vector
      for (int k = 0; k < 1; k++)
        b[i][j][k] = 9;
    }
  }

  EXPECT(a[0], 7);
  EXPECT(b[0][0][0], 9);
  return report();
}
