/* Relaxation: a stencil as one work-item with a window, the copy back as many, and the largest change. */
#include <stdio.h>
#ifndef ROWS
#define ROWS 21
#define COLS 17
#endif
static float now[ROWS][COLS], next[ROWS][COLS];

static float sweep(void) {
  float change = 0;
#pragma acc parallel loop collapse(2) reduction(max:change) present(now, next)
#pragma openarc transform window(now, next)
  for (int i = 1; i < ROWS - 1; i++)
    for (int j = 1; j < COLS - 1; j++) {
      float v = 0.25f * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
      float d = v - now[i][j];
      next[i][j] = v;
      if (d < 0) d = -d;
      if (d > change) change = d;
    }
  return change;
}

static void copy(void) {
#pragma acc parallel loop collapse(2) present(now, next)
  for (int i = 1; i < ROWS - 1; i++)
    for (int j = 1; j < COLS - 1; j++) now[i][j] = next[i][j];
}

int main(void) {
  for (int i = 0; i < ROWS; i++) now[i][0] = now[i][COLS - 1] = i % 5;
#pragma acc data copy(now) create(next)
  for (int n = 0; n < 4; n++) {
    printf("%.6g\n", sweep());
    copy();
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) printf("%.5g%c", now[i][j], j == COLS - 1 ? '\n' : ' ');
}
