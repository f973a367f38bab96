// Arrays of variable length, also as parameters, in clauses and in regions.
// arc: items>1
#include "check.h"

static void transpose(int rows, int columns, double from[rows][columns], double to[columns][rows]) {
#pragma acc parallel loop collapse(2) copyin(from[0:rows][0:columns]) copyout(to[0:columns][0:rows])
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      to[j][i] = from[i][j];
}

int main(int argc, char **argv) {
  int rows = 22 + argc, columns = 40 + argc;
  double a[rows][columns], b[columns][rows];
#pragma acc parallel loop collapse(2) copyout(a)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      a[i][j] = 3 * i - j;

  transpose(rows, columns, a, b);

  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      NEAR_AT(i * columns + j, b[j][i], 3 * i - j, 0);
  return report();
}
