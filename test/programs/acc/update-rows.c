// Update of some rows of a matrix on the device.
// arc: items>1
#include "check.h"
#include "separate.h"

#define ROWS 19
#define COLUMNS 23

int main(void) {
  int a[ROWS][COLUMNS], separate = device_memory_is_separate();
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = 0;

#pragma acc data copyin(a)
  {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] = 10 * i + j;
#pragma acc update self(a[3:5][0:COLUMNS])
  }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], (i >= 3 && i < 8) || !separate ? 10 * i + j : 0);
  return report();
}
