// An initialiser with a side effect in code that one lane runs takes effect once per iteration.
// arc: items>1
#include "check.h"

#define ROWS 17
#define COLUMNS 40

int main(void) {
  static int calls[ROWS], a[ROWS][COLUMNS];

#pragma acc parallel loop gang num_workers(4) vector_length(32) copy(calls) copyout(a)
  for (int i = 0; i < ROWS; i++) {
    int first = ++calls[i], second = calls[i]++ + first;
#pragma acc loop vector
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = first * 10 + second;
  }

  for (int i = 0; i < ROWS; i++) {
    EXPECT_AT(i, calls[i], 2);
    for (int j = 0; j < COLUMNS; j++)
      EXPECT_AT(i, a[i][j], 12);
  }
  return report();
}
