// A vector routine returns the result of its reduction to the gang that called it.
// arc: items>1, gcc-offload-cannot compile it
#include "check.h"

#define ROWS 26
#define COLUMNS 90

#pragma acc routine vector
static int largest(const int *row, int n) {
  int most = row[0];
#pragma acc loop vector reduction(max:most)
  for (int j = 0; j < n; j++)
    most = row[j] > most ? row[j] : most;
  return most;
}

int main(void) {
  static int a[ROWS][COLUMNS], top[ROWS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = (i * 53 + j * 71) % 101 - 50;

#pragma acc parallel loop gang copyin(a) copyout(top)
  for (int i = 0; i < ROWS; i++)
    top[i] = largest(a[i], COLUMNS);

  for (int i = 0; i < ROWS; i++)
    EXPECT_AT(i, top[i], largest(a[i], COLUMNS));
  return report();
}
