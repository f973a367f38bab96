// Loops with <= and with the bound on the left of the comparison.
// arc: items>1
#include "check.h"

#define N 200

int main(void) {
  int a[N + 1] = {0}, b[N + 1] = {0};

#pragma acc parallel loop copy(a)
  for (int i = 1; i <= N; ++i)
    a[i] = i;
#pragma acc parallel loop copy(b)
  for (int i = 0; N >= i; i += 3)
    b[i] = i + 1;

  for (int i = 0; i <= N; i++) {
    EXPECT_AT(i, a[i], i);
    EXPECT_AT(i, b[i], i % 3 == 0 ? i + 1 : 0);
  }
  return report();
}
