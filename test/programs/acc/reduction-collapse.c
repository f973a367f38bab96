// A reduction over two collapsed loops.
// arc: items>1
#include "check.h"

#define ROWS 59
#define COLUMNS 83

int main(void) {
  static int a[ROWS][COLUMNS];
  long sum = 4, want = 4;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      a[i][j] = (i * 31 + j * 17) % 101;
      want += a[i][j];
    }

#pragma acc parallel loop collapse(2) reduction(+:sum) copyin(a)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      sum += a[i][j];

  EXPECT(sum, want);
  return report();
}
