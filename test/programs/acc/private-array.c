// A private clause gives each iteration its own small array.
// arc: items>1
#include "check.h"

#define N 307

int main(void) {
  static int out[N];
  int digits[10];

#pragma acc parallel loop private(digits) copyout(out)
  for (int i = 0; i < N; i++) {
    for (int d = 0; d < 10; d++)
      digits[d] = 0;
    for (int rest = i * 7; rest > 0; rest /= 10)
      digits[rest % 10]++;
    int most = 0;
    for (int d = 0; d < 10; d++)
      if (digits[d] > digits[most])
        most = d;
    out[i] = most * 100 + digits[most];
  }

  for (int i = 0; i < N; i++) {
    int count[10] = {0}, most = 0;
    for (int rest = i * 7; rest > 0; rest /= 10)
      count[rest % 10]++;
    for (int d = 0; d < 10; d++)
      if (count[d] > count[most])
        most = d;
    EXPECT_AT(i, out[i], most * 100 + count[most]);
  }
  return report();
}
