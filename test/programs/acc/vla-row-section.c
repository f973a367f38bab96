// A section of rows of a variable-length matrix; the bounds do not start at zero.
// arc: items>1
#include "check.h"

static void clear(int rows, int columns, int m[rows][columns], int from, int count) {
#pragma acc parallel loop gang copy(m[from:count][0:columns])
  for (int i = from; i < from + count; i++) {
#pragma acc loop vector
    for (int j = 0; j < columns; j++)
      m[i][j] = 0;
  }
}

int main(int argc, char **argv) {
  int rows = 30 + argc, columns = 20 + argc, m[rows][columns];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      m[i][j] = i * columns + j;
  clear(rows, columns, m, 4, 9);
  clear(rows, columns, m, rows - 1, 1);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      EXPECT_AT(i * columns + j, m[i][j], (i >= 4 && i < 13) || i == rows - 1 ? 0 : i * columns + j);
  return report();
}
