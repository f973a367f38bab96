// Code of a gang loop around a worker loop runs once per iteration, not once per worker.
// arc: items>1
#include "check.h"

#define ROWS 19
#define COLUMNS 45

int main(void) {
  static int a[ROWS][COLUMNS];
  int before = 0, after = 0;

#pragma acc parallel loop gang num_workers(8) copyout(a) copy(before, after)
  for (int i = 0; i < ROWS; i++) {
#pragma acc atomic update
    before++;
    int base = i * i;
#pragma acc loop worker
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = base + j;
#pragma acc atomic update
    after++;
  }

  EXPECT(before, ROWS);
  EXPECT(after, ROWS);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i * COLUMNS + j, a[i][j], i * i + j);
  return report();
}
