// Lanes set and clear flags of their gang, which clauses combine: the greatest, the least, or by logic; one that no clause names keeps it, too.
#include "check.h"

enum { ROWS = 23, COLS = 70 };

int main(void) {
  static int a[ROWS][COLS], any[ROWS], all[ROWS], logic[ROWS], last = 0, plain = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) a[i][j] = i % 3 == 0 && j == i ? -1 : j;

#pragma acc parallel loop gang copyin(a) copyout(any, all, logic)
  for (int i = 0; i < ROWS; i++) {
    int found = 0, good = 1;
    int either = 0;
#pragma acc loop vector reduction(max : found) reduction(min : good) reduction(|| : either)
    for (int j = 0; j < COLS; j++) {
      if (a[i][j] < 0) found = 1;
      if (a[i][j] < 0) good = 0;
      either = either || a[i][j] == 69 - i;
    }
    any[i] = found;
    all[i] = good;
    logic[i] = either;
  }
#pragma acc parallel copyin(a) copyout(plain)
  {
    int found = 0;
#pragma acc loop vector
    for (int j = 0; j < COLS; j++)
      if (a[3][j] < 0) found = 1;
    plain = found;
  }
  EXPECT(plain, 1);
  for (int i = 0; i < ROWS; i++) {
    EXPECT_AT(i, any[i], i % 3 == 0);
    EXPECT_AT(i, all[i], i % 3 != 0);
    last += logic[i];
  }
  EXPECT(last, ROWS);
  return report();
}
