// A routine directive that names its function, before and after other declarations.
// arc: items>1
#include "check.h"

#define N 251

static int square(int);
static float lerp(float, float, float);
#pragma acc routine(square) seq
#pragma acc routine(lerp) seq

static int square(int x) { return x * x; }

static float lerp(float a, float b, float t) { return a + (b - a) * t; }

int main(void) {
  static int a[N];
  static float b[N];

#pragma acc parallel loop copyout(a, b)
  for (int i = 0; i < N; i++) {
    a[i] = square(i - 100);
    b[i] = lerp(1, 3, i * 0.5f);
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], (i - 100) * (i - 100));
    NEAR_AT(i, b[i], 1 + i, 1e-6);
  }
  return report();
}
