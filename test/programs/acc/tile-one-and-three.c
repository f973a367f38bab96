// One loop tiled, and three loops tiled, each with remainders.
// arc: items>1, gcc-offload-cannot tile with remainders
#include "check.h"

#define N 1003
#define X 7
#define Y 11
#define Z 13

int main(void) {
  static int a[N], b[X][Y][Z];

#pragma acc parallel loop tile(64) copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = i ^ 5;
#pragma acc parallel loop tile(2, 3, 4) copyout(b)
  for (int i = 0; i < X; i++)
    for (int j = 0; j < Y; j++)
      for (int k = 0; k < Z; k++)
        b[i][j][k] = i * 10000 + j * 100 + k;

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i ^ 5);
  for (int i = 0; i < X; i++)
    for (int j = 0; j < Y; j++)
      for (int k = 0; k < Z; k++)
        EXPECT_AT((i * Y + j) * Z + k, b[i][j][k], i * 10000 + j * 100 + k);
  return report();
}
