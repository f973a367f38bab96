// Pointers in regions: moving, comparing, subtracting, indexing backwards, into rows and into local arrays.
// arc: items>1
#include "check.h"

#define ROWS 37
#define COLUMNS 24

int main(void) {
  static int m[ROWS][COLUMNS], result[ROWS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      m[i][j] = (i * 7 + j * 5) % 31;

#pragma acc parallel loop copyin(m) copyout(result)
  for (int i = 0; i < ROWS; i++) {
    const int *row = m[i], *end = row + COLUMNS, *best = row;
    for (const int *p = row + 1; p != end; ++p)
      if (*p > *best)
        best = p;
    int local[4] = {1, 2, 3, 4}, *q = local + 3;
    *q-- += 10;
    q[-1] *= 5;
    int *pair[2] = {&local[0], q};
    int(*rows)[COLUMNS] = &m[i];
    result[i] = (int)(best - row) * 1000 + best[0] + *pair[0] + *pair[1] + local[1] + local[3] + end[-1] + (*rows)[2] +
                2 [row];
  }

  for (int i = 0; i < ROWS; i++) {
    int best = 0;
    for (int j = 1; j < COLUMNS; j++)
      if (m[i][j] > m[i][best])
        best = j;
    EXPECT_AT(i, result[i], best * 1000 + m[i][best] + 1 + 3 + 10 + 14 + m[i][COLUMNS - 1] + 2 * m[i][2]);
  }
  return report();
}
