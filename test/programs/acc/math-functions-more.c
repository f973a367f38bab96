// Rarer functions of math.h and the integer ones of stdlib.h inside a region.
// arc: items>1
#include "check.h"
#include <stdlib.h>

#define N 173
#define F 20

static void evaluate(double x, int n, double y[F]) {
  y[0] = cbrt(x);
  y[1] = exp2(x * 0.5);
  y[2] = log2(x);
  y[3] = log10(x);
  y[4] = log1p(x);
  y[5] = expm1(-x);
  y[6] = asin(x / 20);
  y[7] = acos(x / 20);
  y[8] = atan(x);
  y[9] = sinh(x / 4);
  y[10] = cosh(x / 4);
  y[11] = hypot(x, 3);
  y[12] = erf(x / 4);
  y[13] = copysign(x, -1);
  y[14] = ldexp(x, 3);
  y[15] = fma(x, x, -1);
  y[16] = rint(x) + trunc(-x);
  y[17] = abs(n) + labs((long)n * 100000);
  y[18] = remainder(x, 0.7);
  y[19] = fdim(x, 2) + tgamma(1 + x / 8);
}

int main(void) {
  static double y[N][F];

#pragma acc parallel loop copyout(y)
  for (int i = 0; i < N; i++) {
    double x = 0.125 + i * 0.0625;
    int n = i - 100;
    y[i][0] = cbrt(x);
    y[i][1] = exp2(x * 0.5);
    y[i][2] = log2(x);
    y[i][3] = log10(x);
    y[i][4] = log1p(x);
    y[i][5] = expm1(-x);
    y[i][6] = asin(x / 20);
    y[i][7] = acos(x / 20);
    y[i][8] = atan(x);
    y[i][9] = sinh(x / 4);
    y[i][10] = cosh(x / 4);
    y[i][11] = hypot(x, 3);
    y[i][12] = erf(x / 4);
    y[i][13] = copysign(x, -1);
    y[i][14] = ldexp(x, 3);
    y[i][15] = fma(x, x, -1);
    y[i][16] = rint(x) + trunc(-x);
    y[i][17] = abs(n) + labs((long)n * 100000);
    y[i][18] = remainder(x, 0.7);
    y[i][19] = fdim(x, 2) + tgamma(1 + x / 8);
  }

  for (int i = 0; i < N; i++) {
    double want[F];
    evaluate(0.125 + i * 0.0625, i - 100, want);
    for (int f = 0; f < F; f++)
      NEAR_AT(i * F + f, y[i][f], want[f], 1e-12);
  }
  return report();
}
