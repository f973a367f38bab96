#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 200 };
static float price[n], strike[n], years[n], call[n], put[n];
#pragma acc routine seq
static float normal(float d) {
  float k = 1 / (1 + 0.2316419f * fabsf(d));
  float c = 0.39894228f * expf(-0.5f * d * d) * (k * (0.31938153f + k * (-0.356563782f + k * 1.781477937f)));
  return d > 0 ? 1 - c : c;
}
int main(void) {
  for (int i = 0; i < n; i++) {
    price[i] = 10 + i % 20;
    strike[i] = 12 + i % 7;
    years[i] = 0.5f + i % 3;
  }
  const float r = 0.02f, v = 0.3f;
#pragma acc parallel loop copyin(price, strike, years) copyout(call, put)
  for (int i = 0; i < n; i++) {
    float root = sqrtf(years[i]);
    float d1 = (logf(price[i] / strike[i]) + (r + 0.5f * v * v) * years[i]) / (v * root), d2 = d1 - v * root;
    float e = expf(-r * years[i]);
    call[i] = price[i] * normal(d1) - strike[i] * e * normal(d2);
    put[i] = strike[i] * e * (1 - normal(d2)) - price[i] * (1 - normal(d1));
  }
  float s = 0;
  for (int i = 0; i < n; i++) s += call[i] - put[i];
  printf("%.2f\n", s);
  return 0;
}
