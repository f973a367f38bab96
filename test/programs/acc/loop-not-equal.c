// Loops that run while the variable differs from the bound.
// arc: items>1, gcc-cannot no != in loop conditions
#include "check.h"

#define N 443

int main(void) {
  int a[N] = {0}, b[N] = {0};

#pragma acc parallel loop copy(a)
  for (int i = 0; i != N; i++)
    a[i] = 2 * i;
#pragma acc parallel loop copy(b)
  for (int i = N - 1; i != -1; --i)
    b[i] = 3 * i;

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], 2 * i);
    EXPECT_AT(i, b[i], 3 * i);
  }
  return report();
}
