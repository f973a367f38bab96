// NaN and infinities are made, tested and compared as IEEE 754 says.
// arc: items>1
#include "check.h"

#define N 64

int main(void) {
  static double x[N];
  static int kind[N], compare[N];
  for (int i = 0; i < N; i++)
    x[i] = i % 4 == 0 ? NAN : i % 4 == 1 ? INFINITY : i % 4 == 2 ? -INFINITY : i;

#pragma acc parallel loop copyin(x) copyout(kind, compare)
  for (int i = 0; i < N; i++) {
    double v = x[i];
    kind[i] = (isnan(v) ? 1 : 0) + (isinf(v) ? 2 : 0) + (isfinite(v) ? 4 : 0) + (signbit(v) && !isnan(v) ? 8 : 0);
    compare[i] = (v == v) + 2 * (v > 1e308) + 4 * (v < -1e308) + 8 * (v != v) + 16 * !(v < 0 || v >= 0);
  }

  static const int kinds[4] = {1, 2, 10, 4}, compares[4] = {24, 3, 5, 1};
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, kind[i], kinds[i % 4]);
    EXPECT_AT(i, compare[i], compares[i % 4]);
  }
  return report();
}
