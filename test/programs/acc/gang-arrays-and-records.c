// Arrays, structs and literals of a gang are the same for all of its lanes, whoever changed them: an element, a callee, a pointer.
// arc: items>1
#include "check.h"

#define N 37
#define LANES 11

struct sums {
  int s, n, part[3];
};

static void fill(int *p, int i) { p[0] = i, p[1] = i + 1; }

static int before(int n) {
  int steps[2];
  fill(steps, n);
  return steps[0] * steps[1];
}

int main(void) {
  static int a[N][LANES], t[N], b[N][LANES];

#pragma acc parallel loop gang vector_length(32) copyout(a) create(t)
  for (int i = 0; i < N; i++) {
    int own[2], filled[2], grid[2][2] = {{1, i}, {2, 3}};
    struct sums sums = {.n = i}, copy;
    own[0] = i;
    own[1] = 3;
    fill(filled, i);
    sums.part[1] = own[0] + filled[1];
    copy = sums;
    copy.n += 100 * grid[0][1] + before(i);
    t[i] = i % 3;
    for (int r = t[i]; r < 4; r++) {
#pragma acc loop vector
      for (int j = 0; j < LANES; j++)
        a[i][j] = r + j * copy.n + copy.part[1] + own[1] + grid[1][j % 2];
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < LANES; j++)
      EXPECT_AT(i * LANES + j, a[i][j], 3 + j * (101 * i + i * (i + 1)) + 2 * i + 1 + 3 + 2 + j % 2);

#pragma acc parallel loop gang vector_length(32) copyout(b)
  for (int i = 0; i < N; i++) {
    int *shared = (int[LANES]){0};
#pragma acc loop vector
    for (int j = 0; j < LANES; j++)
      shared[j] = i * j;
#pragma acc loop vector
    for (int j = 0; j < LANES; j++)
      b[i][j] = shared[LANES - 1 - j];
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < LANES; j++)
      EXPECT_AT(i * LANES + j, b[i][j], i * (LANES - 1 - j));
  return report();
}
