// A minimum reduction over doubles with fmin.
// arc: items>1
#include "check.h"

#define N 1201

int main(void) {
  double least = 7;

#pragma acc parallel loop reduction(min:least)
  for (int i = 0; i < N; i++)
    least = fmin(least, 3 + (i - 600) * (i - 600) * 0.001);

  NEAR(least, 3, 0);
  return report();
}
