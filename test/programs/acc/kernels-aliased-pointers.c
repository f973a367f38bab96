// Loops of a kernels construct over pointers that overlap: they may not run in parallel without proof.
#include "check.h"

#define N 97

/* y[i] may be x[i + 1]: then each iteration reads what the one before wrote. */
static void add_one(int n, const int *x, int *y) {
#pragma acc kernels present(x[0:n], y[0:n])
  for (int i = 0; i < n; i++)
    y[i] = x[i] + 1;
}

int main(void) {
  int a[N] = {5}, b[N] = {0};
#pragma acc data copy(a, b)
  {
    add_one(N - 1, a, a + 1);
    add_one(N, a, b);
  }
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], 5 + i);
    EXPECT_AT(i, b[i], 6 + i);
  }
  return report();
}
