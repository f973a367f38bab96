// Loops whose step is not one and does not divide the range.
// arc: items>1
#include "check.h"

#define N 1000

int main(void) {
  int a[N] = {0}, b[N] = {0}, step = 11;

#pragma acc parallel loop copy(a)
  for (int i = 2; i < N; i += 7)
    a[i] = i;
#pragma acc parallel loop copy(b)
  for (int i = 5; i < N; i = i + step)
    b[i] = i;

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i % 7 == 2 ? i : 0);
    EXPECT_AT(i, b[i], i % 11 == 5 ? i : 0);
  }
  return report();
}
