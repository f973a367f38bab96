// Gangs take the rows of a matrix, vector lanes the columns.
// arc: items>1
#include "check.h"

#define ROWS 53
#define COLUMNS 101

int main(void) {
  static double a[ROWS][COLUMNS], b[COLUMNS][ROWS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = i + 0.001 * j;

#pragma acc parallel loop gang copyin(a) copyout(b)
  for (int i = 0; i < ROWS; i++) {
#pragma acc loop vector
    for (int j = 0; j < COLUMNS; j++)
      b[j][i] = a[i][j];
  }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      NEAR_AT(i * COLUMNS + j, b[j][i], i + 0.001 * j, 0);
  return report();
}
