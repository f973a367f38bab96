#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 100 };
static float x[n], y[n], vx[n], vy[n], m[n];
int main(void) {
  for (int i = 0; i < n; i++) {
    x[i] = i % 10;
    y[i] = i / 10;
    m[i] = 1 + i % 3;
  }
#pragma acc data copy(x, y, vx, vy) copyin(m)
  for (int t = 0; t < 5; t++) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      float ax = 0, ay = 0;
#pragma acc loop reduction(+ : ax, ay)
      for (int j = 0; j < n; j++) {
        float dx = x[j] - x[i], dy = y[j] - y[i];
        float d = 1 / sqrtf(dx * dx + dy * dy + 1);
        ax += m[j] * dx * d * d * d;
        ay += m[j] * dy * d * d * d;
      }
      vx[i] += 0.01f * ax;
      vy[i] += 0.01f * ay;
    }
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      x[i] += 0.01f * vx[i];
      y[i] += 0.01f * vy[i];
    }
  }
  printf("%.3f %.3f\n", x[7], y[55]);
  return 0;
}
