// Two dimensions, collapsed and blocked, with data that stays on the device between the steps.
#include "../acc/check.h"
#include "programs.h"
#include <string.h>

#define ROWS 37
#define COLUMNS 53
#define STEPS 5

static void step(int rows, int columns, float now[rows][columns], float next[rows][columns]) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: now[0:rows][0:columns], next[0:rows][0:columns])
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < columns - 1; j++)
      next[i][j] = 0.25f * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
}

int stencil(void) {
  static float a[ROWS][COLUMNS], b[ROWS][COLUMNS], c[ROWS][COLUMNS], d[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      a[i][j] = b[i][j] = (i * 7 + j * 3) % 11;
  memcpy(c, a, sizeof a);
  memcpy(d, b, sizeof b);
#pragma omp target data map(tofrom: a, b)
  for (int k = 0; k < STEPS; k++) {
    step(ROWS, COLUMNS, a, b);
#pragma omp target teams distribute
    for (int i = 0; i < ROWS; i++)
#pragma omp parallel for simd
      for (int j = 0; j < COLUMNS; j++)
        a[i][j] = b[i][j];
  }
  for (int k = 0; k < STEPS; k++) {
    for (int i = 1; i < ROWS - 1; i++)
      for (int j = 1; j < COLUMNS - 1; j++)
        d[i][j] = 0.25f * (c[i - 1][j] + c[i + 1][j] + c[i][j - 1] + c[i][j + 1]);
    memcpy(c, d, sizeof c);
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      NEAR_AT(i * COLUMNS + j, a[i][j], c[i][j], 1e-6);
  return report();
}
