// The readonly modifier of the cache directive.
// arc: items>1, gcc-cannot no readonly modifier
#include "check.h"

#define ROWS 21
#define COLUMNS 130

int main(void) {
  static float a[COLUMNS], b[ROWS][COLUMNS];
  for (int j = 0; j < COLUMNS; j++)
    a[j] = j;

#pragma acc parallel loop gang copyin(a) copyout(b)
  for (int i = 0; i < ROWS; i++) {
#pragma acc loop vector
    for (int j = 0; j < COLUMNS; j++) {
#pragma acc cache(readonly: a[0:COLUMNS])
      b[i][j] = a[(i + j) % COLUMNS];
    }
  }

  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      NEAR_AT(i * COLUMNS + j, b[i][j], (i + j) % COLUMNS, 0);
  return report();
}
