// A worker routine holds a worker loop with a vector loop inside, and calls a vector routine.
// arc: items>1
#include "check.h"

#define A 7
#define B 12
#define C 33

#pragma acc routine vector
static void fill_line(int *line, int n, int base) {
#pragma acc loop vector
  for (int k = 0; k < n; k++)
    line[k] = base + k;
}

#pragma acc routine worker
static void fill_plane(int plane[B][C], int base) {
#pragma acc loop worker
  for (int j = 0; j < B; j++)
    fill_line(plane[j], C, base + 100 * j);
}

int main(void) {
  static int t[A][B][C];

#pragma acc parallel loop gang num_workers(4) vector_length(32) copyout(t)
  for (int i = 0; i < A; i++)
    fill_plane(t[i], 10000 * i);

  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++)
      for (int k = 0; k < C; k++)
        EXPECT_AT((i * B + j) * C + k, t[i][j][k], 10000 * i + 100 * j + k);
  return report();
}
