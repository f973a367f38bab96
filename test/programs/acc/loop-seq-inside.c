// A sequential loop inside a parallel one: each lane sums its own row in order.
// arc: items>1
#include "check.h"

#define ROWS 149
#define COLUMNS 31

int main(void) {
  static int m[ROWS][COLUMNS], sum[ROWS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      m[i][j] = i - j;

#pragma acc parallel loop copyin(m) copyout(sum)
  for (int i = 0; i < ROWS; i++) {
    int s = 0;
#pragma acc loop seq
    for (int j = 0; j < COLUMNS; j++)
      s = 2 * (s % 1000) + m[i][j];
    sum[i] = s;
  }

  for (int i = 0; i < ROWS; i++) {
    int s = 0;
    for (int j = 0; j < COLUMNS; j++)
      s = 2 * (s % 1000) + (i - j);
    EXPECT_AT(i, sum[i], s);
  }
  return report();
}
