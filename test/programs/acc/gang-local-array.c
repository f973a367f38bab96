// An array declared in the body of a gang loop is shared by the workers and lanes of the gang.
// arc: items>1
#include "check.h"

#define ROWS 15
#define COLUMNS 77

int main(void) {
  static float a[ROWS][COLUMNS];

#pragma acc parallel loop gang copyout(a) num_workers(4) vector_length(32)
  for (int i = 0; i < ROWS; i++) {
    float line[COLUMNS + 2];
    line[0] = -1;
    line[COLUMNS + 1] = -2;
#pragma acc loop worker vector
    for (int j = 0; j < COLUMNS; j++)
      line[j + 1] = i * 100 + j;
#pragma acc loop worker vector
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = line[j] + line[j + 2];
  }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      double left = j == 0 ? -1 : i * 100 + j - 1, right = j == COLUMNS - 1 ? -2 : i * 100 + j + 1;
      NEAR_AT(i * COLUMNS + j, a[i][j], left + right, 0);
    }
  return report();
}
