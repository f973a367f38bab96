// Floats stay floats, doubles doubles: literals with and without suffix, mixed expressions, float overflow.
// arc: items>1
#include "check.h"

#define N 127

int main(void) {
  static float f[N], third[N];
  static double d[N], product[N];
  static int overflowed[N];

#pragma acc parallel loop copyout(f, third, d, product, overflowed)
  for (int i = 0; i < N; i++) {
    float x = 0.1f * i;
    f[i] = x * 3.0f + 1e-3f;
    third[i] = i / 3.0f;
    d[i] = x + 0.1;
    product[i] = 1e20 * (double)x * 1e20;
    float big = 1e38f * (i + 1);
    overflowed[i] = isinf(big) != 0;
  }

  for (int i = 0; i < N; i++) {
    NEAR_AT(i, f[i], 0.3 * i + 0.001, 1e-6);
    NEAR_AT(i, third[i], i / 3.0f, 4e-7);
    NEAR_AT(i, d[i], 0.1f * i + 0.1, 1e-12);
    NEAR_AT(i, product[i], 1e40 * (0.1f * i), 1e-12);
    EXPECT_AT(i, overflowed[i], i + 1 > 3);
  }
  return report();
}
