// Two tightly nested loops are collapsed into one.
// arc: items>1
#include "check.h"

#define ROWS 37
#define COLUMNS 41

int main(void) {
  static int a[ROWS][COLUMNS];

#pragma acc parallel loop collapse(2) copyout(a)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = 100 * i + j;

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], 100 * i + j);
  return report();
}
