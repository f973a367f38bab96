// A vector routine holds a vector loop and is called from a gang loop.
// arc: items>1
#include "check.h"

#define ROWS 21
#define COLUMNS 75

#pragma acc routine vector
static void scale_row(double *row, int n, double by) {
#pragma acc loop vector
  for (int j = 0; j < n; j++)
    row[j] *= by;
}

int main(void) {
  static double a[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = j;

#pragma acc parallel loop gang copy(a)
  for (int i = 0; i < ROWS; i++)
    scale_row(a[i], COLUMNS, i + 1);

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      NEAR_AT(i * COLUMNS + j, a[i][j], j * (i + 1.0), 0);
  return report();
}
