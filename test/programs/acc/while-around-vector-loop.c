// A while loop, whose condition depends on what the vector loop inside computes.
// arc: items>1
#include "check.h"

#define ROWS 9
#define COLUMNS 38

int main(void) {
  static int a[ROWS][COLUMNS], rounds[ROWS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = i == 0 ? 0 : (i * 37 + j * 11) % 64;

#pragma acc parallel loop gang copy(a) copyout(rounds)
  for (int i = 0; i < ROWS; i++) {
    int left = 1, round = 0;
    while (left > 0) {
      left = 0;
#pragma acc loop vector reduction(+:left)
      for (int j = 0; j < COLUMNS; j++) {
        a[i][j] /= 2;
        left += a[i][j];
      }
      round++;
    }
    rounds[i] = round;
  }

  for (int i = 0; i < ROWS; i++) {
    int most = 0;
    for (int j = 0; j < COLUMNS; j++) {
      int start = i == 0 ? 0 : (i * 37 + j * 11) % 64;
      most = start > most ? start : most;
      EXPECT_AT(i * COLUMNS + j, a[i][j], 0);
    }
    int want = 1;
    for (most /= 2; most > 0; most /= 2)
      want++;
    EXPECT_AT(i, rounds[i], want);
  }
  return report();
}
