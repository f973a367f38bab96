/* Heat on a chip: nine cases of edges and corners that compute the same pattern, a window, two arrays in turn. */
#include <stdio.h>
#ifndef ROWS
#define ROWS 17
#define COLS 11
#endif
#define SIZE (ROWS * COLS)
static float a[SIZE], b[SIZE], power[SIZE];

static void step(const float *restrict t, float *restrict next, const float *restrict p) {
#pragma acc parallel loop collapse(2) present(t[0:SIZE], next[0:SIZE], p[0:SIZE])
#pragma openarc transform window(t, next)
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLS; c++) {
      int x = r * COLS + c;
      float d;
      if (r == 0 && c == 0)
        d = p[x] + (t[x + 1] + t[x] - 2 * t[x]) * 0.1f + (t[x + COLS] + t[x] - 2 * t[x]) * 0.2f;
      else if (r == 0 && c == COLS - 1)
        d = p[x] + (t[x] + t[x - 1] - 2 * t[x]) * 0.1f + (t[x + COLS] + t[x] - 2 * t[x]) * 0.2f;
      else if (r == ROWS - 1 && c == 0)
        d = p[x] + (t[x + 1] + t[x] - 2 * t[x]) * 0.1f + (t[x] + t[x - COLS] - 2 * t[x]) * 0.2f;
      else if (r == ROWS - 1 && c == COLS - 1)
        d = p[x] + (t[x] + t[x - 1] - 2 * t[x]) * 0.1f + (t[x] + t[x - COLS] - 2 * t[x]) * 0.2f;
      else if (r == 0)
        d = p[x] + (t[x + 1] + t[x - 1] - 2 * t[x]) * 0.1f + (t[x + COLS] + t[x] - 2 * t[x]) * 0.2f;
      else if (r == ROWS - 1)
        d = p[x] + (t[x + 1] + t[x - 1] - 2 * t[x]) * 0.1f + (t[x] + t[x - COLS] - 2 * t[x]) * 0.2f;
      else if (c == 0)
        d = p[x] + (t[x + 1] + t[x] - 2 * t[x]) * 0.1f + (t[x + COLS] + t[x - COLS] - 2 * t[x]) * 0.2f;
      else if (c == COLS - 1)
        d = p[x] + (t[x] + t[x - 1] - 2 * t[x]) * 0.1f + (t[x + COLS] + t[x - COLS] - 2 * t[x]) * 0.2f;
      else
        d = p[x] + (t[x + 1] + t[x - 1] - 2 * t[x]) * 0.1f + (t[x + COLS] + t[x - COLS] - 2 * t[x]) * 0.2f;
      next[x] = t[x] + d;
    }
}

int main(void) {
  for (int k = 0; k < SIZE; k++) {
    a[k] = 80 + k * 7 % 13;
    power[k] = k % 5 * 0.25f;
  }
#pragma acc data copy(a) create(b) copyin(power)
  for (int n = 0; n < 3; n++) {
    step(a, b, power);
    step(b, a, power);
  }
  for (int k = 0; k < SIZE; k++) printf("%.5g%c", a[k], k % COLS == COLS - 1 ? '\n' : ' ');
}
