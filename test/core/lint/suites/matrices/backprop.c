#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { in = 16, hid = 8 };
static float input[in + 1], hidden[hid + 1], w[(in + 1) * (hid + 1)], old[(in + 1) * (hid + 1)], delta[hid + 1];
int main(void) {
  for (int i = 0; i <= in; i++) input[i] = i % 3 * 0.1f;
  for (int i = 0; i < (in + 1) * (hid + 1); i++) w[i] = i % 11 * 0.05f;
#pragma acc data copyin(input) copy(w, old) copyout(hidden)
  {
#pragma acc parallel loop
    for (int j = 0; j <= hid; j++) {
      float s = 0;
#pragma acc loop reduction(+ : s)
      for (int k = 0; k <= in; k++) s += w[k * (hid + 1) + j] * input[k];
      hidden[j] = 1 / (1 + expf(-s));
    }
#pragma acc update self(hidden)
    for (int j = 0; j <= hid; j++) delta[j] = hidden[j] * (1 - hidden[j]) * 0.1f;
#pragma acc parallel loop collapse(2) copyin(delta)
    for (int j = 1; j <= hid; j++)
      for (int k = 0; k <= in; k++) {
        float d = 0.3f * delta[j] * input[k] + 0.3f * old[k * (hid + 1) + j];
        w[k * (hid + 1) + j] += d;
        old[k * (hid + 1) + j] = d;
      }
  }
  float s = 0;
  for (int i = 0; i < (in + 1) * (hid + 1); i++) s += w[i];
  printf("%.5f\n", s);
  return 0;
}
