// Collapsed gang loops around a vector loop.
// arc: items>1
#include "check.h"

#define A 6
#define B 9
#define C 75

int main(void) {
  static int t[A][B][C];

#pragma acc parallel loop gang collapse(2) copyout(t)
  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++) {
      int base = 10 * i + j;
#pragma acc loop vector
      for (int k = 0; k < C; k++)
        t[i][j][k] = 100 * base + k;
    }

  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++)
      for (int k = 0; k < C; k++)
        EXPECT_AT((i * B + j) * C + k, t[i][j][k], 100 * (10 * i + j) + k);
  return report();
}
