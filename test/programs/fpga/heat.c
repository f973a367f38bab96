/* Steps of time in one region: a stencil, and its result back into the array that the next step reads. */
#include <stdio.h>
#ifndef ROWS
#define ROWS 13
#define COLS 17
#endif
#ifndef STEPS
#define STEPS 7
#endif
#ifdef WHOLE
#define TYPE short
#define MEAN(sum) ((sum) >> 2)
#else
#define TYPE float
#define MEAN(sum) 0.25f * (sum)
#endif
static TYPE now[ROWS][COLS], next[ROWS][COLS];

static void relax(int steps) {
#pragma acc kernels copy(now) create(next)
  for (int t = 0; t < steps; t++) {
#pragma acc loop independent collapse(2)
    for (int i = 1; i < ROWS - 1; i++)
      for (int j = 1; j < COLS - 1; j++)
        next[i][j] = MEAN(now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
#pragma acc loop independent collapse(2)
    for (int i = 1; i < ROWS - 1; i++)
      for (int j = 1; j < COLS - 1; j++) now[i][j] = next[i][j];
  }
}

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) now[i][j] = (i * 7 + j * 13) % 100;
  relax(STEPS);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) printf("%.9g%c", (double)now[i][j], j == COLS - 1 ? '\n' : ' ');
}
