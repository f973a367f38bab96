// Loops that count down, with > and >= and steps.
// arc: items>1
#include "check.h"

#define N 301

int main(void) {
  int a[N] = {0}, b[N] = {0}, c[N] = {0};

#pragma acc parallel loop copy(a, b, c)
  for (int i = N - 1; i >= 0; i--) {
    a[i] = i + 1;
    b[N - 1 - i] = i;
  }
#pragma acc parallel loop copy(c)
  for (int i = N - 1; i > 10; i -= 13)
    c[i] = i;

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i + 1);
    EXPECT_AT(i, b[i], N - 1 - i);
    EXPECT_AT(i, c[i], i > 10 && (N - 1 - i) % 13 == 0 ? i : 0);
  }
  return report();
}
