#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { options = 12, steps = 30 };
static float value[options];
int main(void) {
#pragma acc parallel loop copyout(value)
  for (int o = 0; o < options; o++) {
    float v[steps + 1];
    float up = 1.02f, p = 0.5f;
    for (int i = 0; i <= steps; i++) {
      float s = 100 + o;
      for (int k = 0; k < steps; k++) s = k < i ? s * up : s / up;
      v[i] = s > 100 ? s - 100 : 0;
    }
    for (int t = steps; t > 0; t--)
      for (int i = 0; i < t; i++) v[i] = (p * v[i + 1] + (1 - p) * v[i]) * 0.999f;
    value[o] = v[0];
  }
  printf("%.3f %.3f\n", value[0], value[11]);
  return 0;
}
