// A private array of a gang loop is shared by the lanes of the gang: they write it, then read each other's.
// arc: items>1
#include "check.h"

#define ROWS 27
#define COLUMNS 96

int main(void) {
  static int a[ROWS][COLUMNS];
  int row[COLUMNS];

#pragma acc parallel loop gang private(row) copyout(a) vector_length(32)
  for (int i = 0; i < ROWS; i++) {
#pragma acc loop vector
    for (int j = 0; j < COLUMNS; j++)
      row[j] = i * 1000 + j;
#pragma acc loop vector
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = row[COLUMNS - 1 - j];
  }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], i * 1000 + COLUMNS - 1 - j);
  return report();
}
