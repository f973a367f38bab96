// A sequential loop around a vector loop is left by break: all lanes leave together.
// arc: items>1
#include "check.h"

#define ROWS 13
#define COLUMNS 60

int main(void) {
  static int a[ROWS][COLUMNS], rounds[ROWS];

#pragma acc parallel loop gang copy(a) copyout(rounds)
  for (int i = 0; i < ROWS; i++) {
    int round = 0;
    for (round = 0; round < 100; round++) {
      if (a[i][0] >= 3 * i)
        break;
#pragma acc loop vector
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] += 2;
    }
    rounds[i] = round;
  }

  for (int i = 0; i < ROWS; i++) {
    int want = (3 * i + 1) / 2;
    EXPECT_AT(i, rounds[i], want);
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], 2 * want);
  }
  return report();
}
