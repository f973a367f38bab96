// Collapsed loops with negative starts, steps, decreasing order and different types.
// arc: items>1
#include "check.h"

#define ROWS 40
#define COLUMNS 70

int main(void) {
  int a[ROWS][COLUMNS] = {{0}};

#pragma acc parallel loop collapse(2) copy(a)
  for (long i = -17; i < 20; i += 3)
    for (unsigned short j = 65; j > 4; j -= 4)
      a[i + 17][j] = (int)(1000 * i + j);

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int written = i < 37 && i % 3 == 0 && j > 4 && j <= 65 && (65 - j) % 4 == 0;
      EXPECT_AT(i * COLUMNS + j, a[i][j], written ? 1000 * (i - 17) + j : 0);
    }
  return report();
}
