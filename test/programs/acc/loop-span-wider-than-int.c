// An int loop from near the least to near the greatest int: the distance does not fit an int.
// arc: items>1, gcc-cannot finds no iterations
#include "check.h"

int main(void) {
  int count = 0, positive = 0;
  long sum = 0;

#pragma acc parallel loop reduction(+:count, positive, sum)
  for (int i = -2000000000; i <= 2000000000; i += 1000003) {
    count++;
    positive += i > 0;
    sum += i;
  }

  int want_count = 0, want_positive = 0;
  long want_sum = 0;
  for (long i = -2000000000; i <= 2000000000; i += 1000003) {
    want_count++;
    want_positive += i > 0;
    want_sum += i;
  }
  EXPECT(count, want_count);
  EXPECT(positive, want_positive);
  EXPECT(sum, want_sum);
  return report();
}
