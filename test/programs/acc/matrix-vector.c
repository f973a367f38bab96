// A matrix times a vector: rows over gangs and workers, columns over lanes.
// arc: items>1
#include "check.h"

#define ROWS 103
#define COLUMNS 77

int main(void) {
  static float m[ROWS * COLUMNS], x[COLUMNS], y[ROWS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    m[i] = i % 11 - 5;
  for (int j = 0; j < COLUMNS; j++)
    x[j] = j % 3 - 1;

#pragma acc parallel loop gang worker num_workers(4) vector_length(32) copyin(m, x) copyout(y)
  for (int i = 0; i < ROWS; i++) {
    float sum = 0;
#pragma acc loop vector reduction(+:sum)
    for (int j = 0; j < COLUMNS; j++)
      sum += m[i * COLUMNS + j] * x[j];
    y[i] = sum;
  }

  for (int i = 0; i < ROWS; i++) {
    int want = 0;
    for (int j = 0; j < COLUMNS; j++)
      want += ((i * COLUMNS + j) % 11 - 5) * (j % 3 - 1);
    NEAR_AT(i, y[i], want, 0);
  }
  return report();
}
