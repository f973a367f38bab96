/* Steps between two arrays that the host lets change places, and whose border elements differ: several launches are one. */
#include <stdio.h>
#ifndef ROWS
#define ROWS 9
#define COLS 13
#endif
#define SIZE (ROWS * COLS)
static int a[SIZE], b[SIZE];

static void step(const int *restrict from, int *restrict to) {
#pragma acc parallel loop collapse(2) present(from[0:SIZE], to[0:SIZE])
#pragma openarc transform window(from, to)
  for (int i = 1; i < ROWS - 1; i++)
    for (int j = 2; j < COLS - 1; j++) {
      int x = i * COLS + j;
      to[x] = (3 * from[x - COLS] + from[x + COLS] + 5 * from[x - 2] + 7 * from[x + 1]) & 1023;
    }
}

int main(void) {
  static const int steps[] = {1, 2, 3, 4, 11, 60};
  for (int k = 0; k < SIZE; k++) {
    a[k] = k % 17;
    b[k] = 50 + k % 11;
  }
  int *now = a, *next = b;
#pragma acc data copy(a, b)
  for (int n = 0; n < 6; n++) {
    for (int t = 0; t < steps[n]; t++) {
      step(now, next);
      int *swap = now;
      now = next;
      next = swap;
    }
#pragma acc update self(a, b)
    for (int k = 0; k < SIZE; k++) printf("%d %d%c", a[k], b[k], k % COLS == COLS - 1 ? '\n' : ' ');
  }
}
