// Tile sizes left to the compiler, with levels of parallelism named, and a reduction.
// arc: items>1, gcc-offload-cannot tile with remainders
#include "check.h"

#define ROWS 61
#define COLUMNS 77

int main(void) {
  static int a[ROWS][COLUMNS];
  long sum = 7, want = 7;

#pragma acc parallel loop gang vector tile(*, 16) reduction(+:sum) copyout(a)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      a[i][j] = i + j;
      sum += i - j;
    }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      EXPECT_AT(i * COLUMNS + j, a[i][j], i + j);
      want += i - j;
    }
  EXPECT(sum, want);
  return report();
}
