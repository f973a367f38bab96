// Functions of math.h that leave a result where a pointer leads: to a local variable, an element, an array of the host.
// arc: items>1
#define _GNU_SOURCE
#include "check.h"

#define N 97

int main(void) {
  static float fraction[N], whole[N], turned[N][2], rest[N];
  static double mantissa[N];
  static int exponent[N], quotient[N];

#pragma acc parallel loop copyout(fraction, whole, turned, rest, mantissa, exponent, quotient)
  for (int i = 0; i < N; i++) {
    float x = (i - 40) * 0.375f, parts[2];
    int digits;
    fraction[i] = modff(x, &parts[i & 1]);
    whole[i] = parts[i & 1];
    mantissa[i] = frexp(x * 1e-3, &exponent[i]);
    sincosf(x, &parts[0], parts + 1);
    turned[i][0] = parts[0];
    turned[i][1] = parts[1];
    rest[i] = remquof(x, 1.75f, &digits);
    quotient[i] = digits & 7;
  }

  for (int i = 0; i < N; i++) {
    double x = (i - 40) * 0.375, w;
    int e, q;
    NEAR_AT(i, fraction[i], (float)modf(x, &w), 0);
    NEAR_AT(i, whole[i], (float)w, 0);
    NEAR_AT(i, mantissa[i], frexp((float)x * 1e-3, &e), 0);
    EXPECT_AT(i, exponent[i], e);
    NEAR_AT(i, turned[i][0], sin(x), 1e-5);
    NEAR_AT(i, turned[i][1], cos(x), 1e-5);
    NEAR_AT(i, rest[i], (float)remquo(x, 1.75, &q), 0);
    EXPECT_AT(i, quotient[i], q & 7);
  }
  return report();
}
