// _Bool variables, arrays and conversions; comparisons as numbers; not of numbers.
// arc: items>1
#include "check.h"
#include <stdbool.h>

#define N 103

int main(void) {
  bool even[N], odd[N];
  int score[N];

#pragma acc parallel loop copyout(even, odd, score)
  for (int i = 0; i < N; i++) {
    double quarter = 0.25 * i;
    bool big = i & 64, any = quarter;
    even[i] = i % 2 == 0;
    odd[i] = !even[i];
    score[i] = (i > 10) + (i > 20) * 2 + !i + !!i + big * 100 + any;
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, even[i], i % 2 == 0);
    EXPECT_AT(i, odd[i], i % 2);
    EXPECT_AT(i, score[i], (i > 10) + (i > 20) * 2 + 1 + (i >= 64 ? 100 : 0) + (i > 0));
  }
  return report();
}
