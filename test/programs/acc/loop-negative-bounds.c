// Loops from a negative start, over a pointer into the middle of an array.
// arc: items>1
#include "check.h"

#define HALF 151

int main(void) {
  double storage[2 * HALF + 1];
  double *middle = storage + HALF;
  int from = -HALF;

#pragma acc parallel loop copyout(middle[from:2 * HALF + 1])
  for (int i = from; i <= HALF; i++)
    middle[i] = i * i * (i < 0 ? -1.0 : 1.0);

  for (int i = -HALF; i <= HALF; i++)
    NEAR_AT(i + HALF, middle[i], i < 0 ? -(double)i * i : (double)i * i, 0);
  return report();
}
