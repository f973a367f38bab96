// Collapse(force:) collapses loops with statements between them, which every inner iteration may repeat.
// arc: items>1, gcc-cannot no force modifier
#include "check.h"

#define ROWS 21
#define COLUMNS 34

int main(void) {
  static int a[ROWS][COLUMNS];

#pragma acc parallel loop collapse(force:2) copyout(a)
  for (int i = 0; i < ROWS; i++) {
    int base = 100 * i;
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = base + j;
  }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], 100 * i + j);
  return report();
}
