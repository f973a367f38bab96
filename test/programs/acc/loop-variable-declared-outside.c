// Loop variables declared before the region are private to it.
// arc: items>1
#include "check.h"

#define ROWS 23
#define COLUMNS 47

int main(void) {
  static int a[ROWS][COLUMNS];
  int i, j;

#pragma acc parallel loop gang copyout(a)
  for (i = 0; i < ROWS; i++) {
#pragma acc loop vector
    for (j = 0; j < COLUMNS; j++)
      a[i][j] = i - j;
  }

  for (i = 0; i < ROWS; i++)
    for (j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], i - j);
  return report();
}
