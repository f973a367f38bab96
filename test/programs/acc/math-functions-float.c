// The float functions of math.h inside a region.
// arc: items>1
#include "check.h"

#define N 251
#define F 14

int main(void) {
  static float y[N][F];

#pragma acc parallel loop copyout(y)
  for (int i = 0; i < N; i++) {
    float x = 0.0625f + i * 0.03125f;
    y[i][0] = sqrtf(x);
    y[i][1] = expf(-x);
    y[i][2] = logf(x);
    y[i][3] = sinf(x);
    y[i][4] = cosf(x);
    y[i][5] = tanf(x * 0.125f);
    y[i][6] = powf(x, 2.5f);
    y[i][7] = fabsf(3 - x);
    y[i][8] = floorf(x * 4);
    y[i][9] = ceilf(x * 4);
    y[i][10] = atan2f(x, -1);
    y[i][11] = fmaxf(x, 2) + fminf(x, 2);
    y[i][12] = fmodf(x, 0.75f);
    y[i][13] = roundf(x * 3) + truncf(-x);
  }

  for (int i = 0; i < N; i++) {
    double x = 0.0625 + i * 0.03125;
    double want[F] = {sqrt(x),       exp(-x),   log(x),       sin(x),       cos(x),
                      tan(x * 0.125), pow(x, 2.5), fabs(3 - x), floor(x * 4), ceil(x * 4),
                      atan2(x, -1),  x + 2,     fmod(x, 0.75), round(x * 3) + trunc(-x)};
    for (int f = 0; f < F; f++)
      NEAR_AT(i * F + f, y[i][f], want[f], 4e-6);
  }
  return report();
}
