// Three tightly nested loops are collapsed into one.
// arc: items>1
#include "check.h"

#define X 5
#define Y 13
#define Z 19

int main(void) {
  static long a[X][Y][Z];

#pragma acc parallel loop gang vector collapse(3) copyout(a)
  for (int i = 0; i < X; i++)
    for (int j = 0; j < Y; j++)
      for (int k = 0; k < Z; k++)
        a[i][j][k] = i * 1000000L + j * 1000 + k;

  for (int i = 0; i < X; i++)
    for (int j = 0; j < Y; j++)
      for (int k = 0; k < Z; k++)
        EXPECT_AT((i * Y + j) * Z + k, a[i][j][k], i * 1000000L + j * 1000 + k);
  return report();
}
