// The same variable is reduced through a gang loop and the vector loop inside it.
// arc: items>1
#include "check.h"

#define ROWS 37
#define COLUMNS 89

int main(void) {
  static int a[ROWS][COLUMNS];
  long sum = 50, want = 50;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      a[i][j] = i * j % 7;
      want += a[i][j];
    }

#pragma acc parallel loop gang reduction(+:sum) copyin(a)
  for (int i = 0; i < ROWS; i++) {
#pragma acc loop vector reduction(+:sum)
    for (int j = 0; j < COLUMNS; j++)
      sum += a[i][j];
  }

  EXPECT(sum, want);
  return report();
}
