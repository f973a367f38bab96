// Between two vector loops one lane reads what all lanes wrote and writes what all lanes read.
// arc: items>1
#include "check.h"

#define ROWS 23
#define COLUMNS 83

int main(void) {
  static int a[ROWS][COLUMNS], b[ROWS][COLUMNS];

#pragma acc parallel loop gang copyout(a, b)
  for (int i = 0; i < ROWS; i++) {
#pragma acc loop vector
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = i + j;
    int pick = a[i][COLUMNS - 1] + a[i][0];
    a[i][1] = -pick;
#pragma acc loop vector
    for (int j = 0; j < COLUMNS; j++)
      b[i][j] = a[i][1] + pick * 2 + a[i][COLUMNS - 1 - j];
  }

  for (int i = 0; i < ROWS; i++) {
    int pick = 2 * i + COLUMNS - 1;
    for (int j = 0; j < COLUMNS; j++) {
      int mirror = COLUMNS - 1 - j;
      EXPECT_AT(i * COLUMNS + j, b[i][j], pick + (mirror == 1 ? -pick : i + mirror));
    }
  }
  return report();
}
