// Constants that are static in a function or a region, and variables of file scope that a block declares.
// arc: items>1, gcc-cannot use variables without declare in routines
#include "check.h"

#define N 143

int offsets[4] = {10, 20, 30, 40};

#pragma acc routine seq
static int factor(int i) {
  static const int factors[3] = {2, 3, 5};
  extern int offsets[4];
  return factors[i % 3] + offsets[i % 4];
}

int main(void) {
  int a[N];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) {
    static const struct {
      int x, y;
    } points[2] = {{1, 2}, {3, 4}};
    a[i] = factor(i) * points[i % 2].y + points[i % 2].x;
  }

  for (int i = 0; i < N; i++) {
    int expected = (i % 3 == 0 ? 2 : i % 3 == 1 ? 3 : 5) + 10 * (i % 4 + 1);
    EXPECT_AT(i, a[i], i % 2 ? expected * 4 + 3 : expected * 2 + 1);
  }
  return report();
}
