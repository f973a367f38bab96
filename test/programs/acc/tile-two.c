// Two loops tiled with sizes that do not divide them.
// arc: items>1, gcc-offload-cannot tile with remainders
#include "check.h"

#define ROWS 50
#define COLUMNS 45

int main(void) {
  static int a[ROWS][COLUMNS];

#pragma acc parallel loop tile(8, 4) copyout(a)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = i * j;

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], i * j);
  return report();
}
