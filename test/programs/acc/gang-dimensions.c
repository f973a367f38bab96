// Gangs in two dimensions: num_gangs with two numbers and gang(dim:) on nested loops.
// arc: items>1, gcc-cannot no dimensions of gangs
#include "check.h"

#define ROWS 29
#define COLUMNS 47

int main(void) {
  static int a[ROWS][COLUMNS];

#pragma acc parallel num_gangs(5, 3) copyout(a)
  {
#pragma acc loop gang(dim:2)
    for (int i = 0; i < ROWS; i++) {
#pragma acc loop gang(dim:1) vector
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] = i * 100 + j;
    }
  }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], i * 100 + j);
  return report();
}
