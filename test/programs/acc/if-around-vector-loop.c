// A branch that differs from gang to gang decides which vector loop runs.
// arc: items>1
#include "check.h"

#define ROWS 31
#define COLUMNS 67

int main(void) {
  static int a[ROWS][COLUMNS];

#pragma acc parallel loop gang copyout(a)
  for (int i = 0; i < ROWS; i++) {
    int kind = i % 3;
    if (kind == 0) {
#pragma acc loop vector
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] = j;
    } else if (kind == 1) {
#pragma acc loop vector
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] = -j;
    } else
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] = 7;
  }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], i % 3 == 0 ? j : i % 3 == 1 ? -j : 7);
  return report();
}
