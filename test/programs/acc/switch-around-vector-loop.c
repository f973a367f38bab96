// A switch whose cases hold vector loops, one of them falling through.
// arc: items>1
#include "check.h"

#define ROWS 20
#define COLUMNS 41

int main(void) {
  static int a[ROWS][COLUMNS];

#pragma acc parallel loop gang copy(a)
  for (int i = 0; i < ROWS; i++) {
    switch (i % 4) {
    case 0:
#pragma acc loop vector
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] += 1;
      break;
    case 1:
#pragma acc loop vector
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] += 10;
      /* fall through */
    case 2:
#pragma acc loop vector
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] += 100;
      break;
    default:
      a[i][i] = -1;
    }
  }

  static const int want[4] = {1, 110, 100, 0};
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], i % 4 == 3 && i == j ? -1 : want[i % 4]);
  return report();
}
