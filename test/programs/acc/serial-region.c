// A serial construct runs its statements in order on one lane.
#include "check.h"

int main(void) {
  int steps[12] = {0}, count = 0;

#pragma acc serial copy(steps, count)
  {
    steps[count++] = 1;
    while (count < 12) {
      steps[count] = steps[count - 1] * 2;
      count++;
    }
  }

  EXPECT(count, 12);
  for (int i = 0; i < 12; i++)
    EXPECT_AT(i, steps[i], 1 << i);
  return report();
}
