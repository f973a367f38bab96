// A sum reduction may also subtract, and be written with the variable on either side.
// arc: items>1
#include "check.h"

#define N 1231

int main(void) {
  int down = 10, left = 20, right = 30;

#pragma acc parallel loop reduction(+:down, left, right)
  for (int i = 0; i < N; i++) {
    down -= i;
    left = left + 2 * i;
    right = 3 * i + right;
  }

  int sum = N * (N - 1) / 2;
  EXPECT(down, 10 - sum);
  EXPECT(left, 20 + 2 * sum);
  EXPECT(right, 30 + 3 * sum);
  return report();
}
