// A section of whole rows of a matrix.
// arc: items>1
#include "check.h"

#define ROWS 31
#define COLUMNS 17

int main(void) {
  static float a[ROWS][COLUMNS], b[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = i + 0.01f * j;

#pragma acc parallel loop collapse(2) copyin(a[5:20][0:COLUMNS]) copyout(b[6:18][0:COLUMNS])
  for (int i = 6; i < 24; i++)
    for (int j = 0; j < COLUMNS; j++)
      b[i][j] = a[i - 1][j] + a[i][j];

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      NEAR_AT(i * COLUMNS + j, b[i][j], i >= 6 && i < 24 ? 2 * i - 1 + 0.02 * j : 0, 1e-6);
  return report();
}
