// Each gang sums a row with its vector lanes and stores the result.
// arc: items>1
#include "check.h"

#define ROWS 43
#define COLUMNS 307

int main(void) {
  static float a[ROWS][COLUMNS], sum[ROWS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = (i + j) % 16;

#pragma acc parallel loop gang copyin(a) copyout(sum) vector_length(64)
  for (int i = 0; i < ROWS; i++) {
    float s = 0;
#pragma acc loop vector reduction(+:s)
    for (int j = 0; j < COLUMNS; j++)
      s += a[i][j];
    sum[i] = s;
  }

  for (int i = 0; i < ROWS; i++) {
    int want = 0;
    for (int j = 0; j < COLUMNS; j++)
      want += (i + j) % 16;
    NEAR_AT(i, sum[i], want, 0);
  }
  return report();
}
