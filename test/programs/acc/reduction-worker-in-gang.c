// Each gang finds the maximum of a row with its workers.
// arc: items>1
#include "check.h"

#define ROWS 29
#define COLUMNS 61

int main(void) {
  static int a[ROWS][COLUMNS], top[ROWS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = (i * 19 + j * 23) % 97 - 200;

#pragma acc parallel loop gang num_workers(8) copyin(a) copyout(top)
  for (int i = 0; i < ROWS; i++) {
    int t = -1000;
#pragma acc loop worker reduction(max:t)
    for (int j = 0; j < COLUMNS; j++)
      t = a[i][j] > t ? a[i][j] : t;
    top[i] = t;
  }

  for (int i = 0; i < ROWS; i++) {
    int want = -1000;
    for (int j = 0; j < COLUMNS; j++)
      want = a[i][j] > want ? a[i][j] : want;
    EXPECT_AT(i, top[i], want);
  }
  return report();
}
