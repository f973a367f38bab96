// Rows of different lengths, some empty: inner bounds come from an array, accesses are indirect.
// arc: items>1
#include "check.h"

#define ROWS 91

int main(void) {
  static int first[ROWS + 1], column[ROWS * 8];
  static double value[ROWS * 8], x[ROWS], y[ROWS];
  for (int i = 0; i < ROWS; i++) {
    first[i + 1] = first[i] + i % 8;
    for (int e = first[i]; e < first[i + 1]; e++) {
      column[e] = (i * 5 + e * 3) % ROWS;
      value[e] = e % 4 + 0.5;
    }
    x[i] = i;
  }
  int elements = first[ROWS];

#pragma acc parallel loop copyin(first, column[0:elements], value[0:elements], x) copyout(y)
  for (int i = 0; i < ROWS; i++) {
    double sum = 0;
    for (int e = first[i]; e < first[i + 1]; e++)
      sum += value[e] * x[column[e]];
    y[i] = sum;
  }

  for (int i = 0; i < ROWS; i++) {
    double want = 0;
    for (int e = first[i]; e < first[i + 1]; e++)
      want += (e % 4 + 0.5) * ((i * 5 + e * 3) % ROWS);
    NEAR_AT(i, y[i], want, 1e-13);
  }
  return report();
}
