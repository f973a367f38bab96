// A maximum reduction over negative floats: the identity must not be zero.
// arc: items>1
#include "check.h"

#define N 3001

int main(void) {
  static float a[N];
  for (int i = 0; i < N; i++)
    a[i] = -1000.0f - (i * 37) % N;
  a[1234] = -2.5f;
  float top = -1e30f;

#pragma acc parallel loop reduction(max:top) copyin(a)
  for (int i = 0; i < N; i++)
    top = a[i] > top ? a[i] : top;

  NEAR(top, -2.5, 0);
  return report();
}
