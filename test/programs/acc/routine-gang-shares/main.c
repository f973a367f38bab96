// Gangs that call a gang routine run each iteration of its gang loops once, in this file and another one.
// arc: items>1, gcc-cannot loops until a variable is not equal
#include "../check.h"

#define ROWS 37
#define COLUMNS 19
#define N 76

#pragma acc routine gang
void elsewhere(int n, int *a);

#pragma acc routine gang
static void grow(int (*m)[COLUMNS], int rows) {
#pragma acc loop gang
  for (int r = 0; r < rows; r++) {
    int by = 0;
#pragma acc loop vector reduction(+ : by)
    for (int c = 0; c < COLUMNS; c++)
      by += c;
#pragma acc loop worker vector
    for (int c = 0; c < COLUMNS; c++)
      m[r][c] += by + r;
  }
}

#pragma acc routine gang
static void steps(unsigned n, int *down, int *bare, int *pairs) {
#pragma acc loop gang vector
  for (unsigned i = n - 1; i > 0; i -= 3)
    down[i] += 1;
#pragma acc loop
  for (unsigned i = 0; i != n; i++)
    bare[i] += 10;
  int own[4];
#pragma acc loop
  for (int k = 0; k < 4; k++)
    own[k] = k;
#pragma acc loop gang collapse(2)
  for (unsigned i = 0; i < n / 4; i++)
    for (int k = 0; k < 4; k++)
      pairs[4 * i + k] += 100 * own[k];
}

#pragma acc routine gang
static void both(int (*m)[COLUMNS], int (*a)[N]) {
  grow(m, ROWS);
  steps(N, a[0], a[1], a[2]);
}

int main(void) {
  static int m[ROWS][COLUMNS], a[4][N];
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++)
      m[r][c] = c;

#pragma acc parallel copy(m, a) num_gangs(6) vector_length(32)
  {
    both(m, a);
    elsewhere(N, a[3]);
  }
#pragma acc serial copy(m)
  grow(m, 2);

  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++)
      EXPECT_AT(r * COLUMNS + c, m[r][c], c + (COLUMNS * (COLUMNS - 1) / 2 + r) * (r < 2 ? 2 : 1));
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[0][i], i > 0 && i % 3 == 0);
    EXPECT_AT(i, a[1][i], 10);
    EXPECT_AT(i, a[2][i], 100 * (i % 4));
    EXPECT_AT(i, a[3][i], 1000);
  }
  return report();
}
