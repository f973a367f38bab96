// The functions of math.h on doubles inside a region.
// arc: items>1
#include "check.h"

#define N 263
#define F 12

static void evaluate(double x, double y[F]) {
  y[0] = sqrt(x);
  y[1] = exp(-x);
  y[2] = log(x);
  y[3] = sin(x);
  y[4] = cos(x);
  y[5] = tanh(x);
  y[6] = pow(x, 1.5);
  y[7] = fabs(x - 3);
  y[8] = floor(x) + ceil(x);
  y[9] = atan2(x, 2);
  y[10] = fmax(x, 4) - fmin(x, 4);
  y[11] = fmod(x, 0.75);
}

int main(void) {
  static double y[N][F];

#pragma acc parallel loop copyout(y)
  for (int i = 0; i < N; i++) {
    double x = 0.125 + i * 0.03125;
    y[i][0] = sqrt(x);
    y[i][1] = exp(-x);
    y[i][2] = log(x);
    y[i][3] = sin(x);
    y[i][4] = cos(x);
    y[i][5] = tanh(x);
    y[i][6] = pow(x, 1.5);
    y[i][7] = fabs(x - 3);
    y[i][8] = floor(x) + ceil(x);
    y[i][9] = atan2(x, 2);
    y[i][10] = fmax(x, 4) - fmin(x, 4);
    y[i][11] = fmod(x, 0.75);
  }

  for (int i = 0; i < N; i++) {
    double want[F];
    evaluate(0.125 + i * 0.03125, want);
    for (int f = 0; f < F; f++)
      NEAR_AT(i * F + f, y[i][f], want[f], 1e-13);
  }
  return report();
}
