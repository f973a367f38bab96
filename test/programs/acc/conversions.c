// Conversions between integers and floating types, explicit and implicit, signed with unsigned.
// arc: items>1
#include "check.h"

#define N 301

int main(void) {
  static int truncated[N], compared[N];
  static long wide[N];
  static unsigned wrapped[N];
  static float narrowed[N];
  static double mixed[N];

#pragma acc parallel loop copyout(truncated, compared, wide, wrapped, narrowed, mixed)
  for (int i = 0; i < N; i++) {
    double x = (i - 150) * 0.75;
    truncated[i] = x;
    compared[i] = (-1 < (unsigned)i) + 2 * (-1L < (long)i) + 4 * (i - 150 < 0u + 0);
    wide[i] = (int)x * 3000000000u + (unsigned)i;
    wrapped[i] = i - 150;
    narrowed[i] = 16777217 + 2 * i;
    mixed[i] = i / 2 + i / 2.0f + 1 / 3 * i + (float)0.1;
  }

  for (int i = 0; i < N; i++) {
    double x = (i - 150) * 0.75;
    EXPECT_AT(i, truncated[i], (int)x);
    EXPECT_AT(i, compared[i], 2);
    EXPECT_AT(i, wide[i], (unsigned)((unsigned)(int)x * 3000000000u + (unsigned)i));
    EXPECT_AT(i, wrapped[i], (unsigned)(i - 150));
    NEAR_AT(i, narrowed[i], (float)(16777217 + 2 * i), 0);
    NEAR_AT(i, mixed[i], i / 2 + i / 2.0f + (float)0.1, 1e-6);
  }
  return report();
}
