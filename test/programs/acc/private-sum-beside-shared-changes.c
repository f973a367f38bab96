// A loop reduces a variable of each gang, and changes an array that all gangs share: one gang runs the region.
#include "check.h"

#define N 200

int main(void) {
  int a[N], c[N], sum = 0, out = 0, expected = 3;
  for (int k = 0; k < N; k++) {
    a[k] = k;
    c[k] = 0;
  }
#pragma acc parallel copyin(a) copy(out, c) private(sum)
  {
    sum = a[3];
    for (int i = 0; i < 4; i++) {
#pragma acc loop reduction(+ : sum)
      for (int j = 0; j < N; j++) {
        sum += a[j];
        c[j] += i;
      }
      sum %= 100;
    }
    out = sum;
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < N; j++)
      expected += j;
    expected %= 100;
  }
  EXPECT(out, expected);
  for (int k = 0; k < N; k++)
    EXPECT_AT(k, c[k], 6);
  return report();
}
