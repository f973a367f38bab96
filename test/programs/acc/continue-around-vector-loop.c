// Some rounds of a sequential loop skip the vector loop inside it by continue.
// arc: items>1
#include "check.h"

#define ROWS 11
#define COLUMNS 43

int main(void) {
  static int a[ROWS][COLUMNS];

#pragma acc parallel loop gang copy(a)
  for (int i = 0; i < ROWS; i++) {
#pragma acc loop seq
    for (int k = 0; k < 10; k++) {
      if ((i + k) % 3 == 0)
        continue;
#pragma acc loop vector
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] += k;
    }
  }

  for (int i = 0; i < ROWS; i++) {
    int want = 0;
    for (int k = 0; k < 10; k++)
      want += (i + k) % 3 ? k : 0;
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], want);
  }
  return report();
}
