// The result of a vector reduction is used by the gang that made it, in the same region.
// arc: items>1
#include "check.h"

#define ROWS 31
#define COLUMNS 127

int main(void) {
  static double a[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = 1 + (i + j) % 4;

#pragma acc parallel loop gang copy(a)
  for (int i = 0; i < ROWS; i++) {
    double sum = 0;
#pragma acc loop vector reduction(+:sum)
    for (int j = 0; j < COLUMNS; j++)
      sum += a[i][j];
#pragma acc loop vector
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] /= sum;
  }

  for (int i = 0; i < ROWS; i++) {
    double sum = 0;
    for (int j = 0; j < COLUMNS; j++)
      sum += a[i][j];
    NEAR_AT(i, sum, 1, 1e-12);
    NEAR_AT(i, a[i][1] * (1 + i % 4), a[i][0] * (1 + (i + 1) % 4), 1e-12);
  }
  return report();
}
