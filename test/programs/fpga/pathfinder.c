/* The cheapest way over a grid, row by row: a window of three elements inside a loop that runs in order. */
#include <stdio.h>
#ifndef ROWS
#define ROWS 9
#define COLS 23
#endif
static int wall[ROWS * COLS], a[COLS], b[COLS];

static void row(int t, const int *restrict from, int *restrict to) {
#pragma acc parallel loop present(from[0:COLS], to[0:COLS], wall)
#pragma openarc transform window(from, to)
  for (int j = 0; j < COLS; j++) {
    int best = from[j];
    if (j > 0 && from[j - 1] < best) best = from[j - 1];
    if (j < COLS - 1 && from[j + 1] < best) best = from[j + 1];
    to[j] = wall[t * COLS + j] + best;
  }
}

int main(void) {
  for (int k = 0; k < ROWS * COLS; k++) wall[k] = k * 53 % 10;
  for (int j = 0; j < COLS; j++) a[j] = wall[j];
#pragma acc data copyin(wall) copy(a, b)
  for (int t = 1; t < ROWS; t++) {
    if (t % 2) row(t, a, b);
    else row(t, b, a);
  }
  for (int j = 0; j < COLS; j++) printf("%d ", ROWS % 2 ? a[j] : b[j]);
}
