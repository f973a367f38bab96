// A minimum reduction over positive floats.
// arc: items>1
#include "check.h"

#define N 3511

int main(void) {
  static float a[N];
  for (int i = 0; i < N; i++)
    a[i] = 1e30f + 1e26f * ((i * 17) % N);
  float least = 3e38f;

#pragma acc parallel loop reduction(min:least) copyin(a)
  for (int i = 0; i < N; i++)
    if (a[i] < least)
      least = a[i];

  NEAR(least, 1e30f, 0);
  return report();
}
