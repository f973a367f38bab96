// Two pointers take turns as input and output inside a data region.
// arc: items>1
#include "check.h"
#include <stdlib.h>

#define N 64

int main(void) {
  unsigned char *now = calloc(N * N, 1), *next = calloc(N * N, 1), *first = now;
  /* A glider, which after four generations is the same one place further down and right. */
  now[1 * N + 2] = now[2 * N + 3] = now[3 * N + 1] = now[3 * N + 2] = now[3 * N + 3] = 1;

#pragma acc data copy(now[0:N * N]) create(next[0:N * N])
  {
    for (int generation = 0; generation < 80; generation++) {
#pragma acc parallel loop collapse(2) present(now[0:N * N], next[0:N * N])
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
          int neighbours = 0;
          for (int di = -1; di <= 1; di++)
            for (int dj = -1; dj <= 1; dj++)
              if (di || dj)
                neighbours += now[(i + di + N) % N * N + (j + dj + N) % N];
          next[i * N + j] = neighbours == 3 || (neighbours == 2 && now[i * N + j]);
        }
      unsigned char *t = now;
      now = next;
      next = t;
    }
  }

  EXPECT(now == first, 1);
  int alive = 0;
  for (int p = 0; p < N * N; p++)
    alive += now[p];
  EXPECT(alive, 5);
  EXPECT(now[21 * N + 22] + now[22 * N + 23] + now[23 * N + 21] + now[23 * N + 22] + now[23 * N + 23], 5);
  free(now);
  free(next);
  return report();
}
