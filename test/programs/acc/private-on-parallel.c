// A private clause on parallel gives each gang its own variable, which its lanes share.
// arc: items>1, gcc-offload-cannot share private arrays between lanes
#include "check.h"

#define ROWS 13
#define COLUMNS 70

int main(void) {
  static int a[ROWS][COLUMNS];
  int row[COLUMNS], base;

#pragma acc parallel private(row, base) copyout(a) num_gangs(4)
  {
#pragma acc loop gang
    for (int i = 0; i < ROWS; i++) {
      base = 100 * i;
#pragma acc loop vector
      for (int j = 0; j < COLUMNS; j++)
        row[j] = base + j;
#pragma acc loop vector
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] = row[COLUMNS - 1 - j];
    }
  }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], 100 * i + COLUMNS - 1 - j);
  return report();
}
