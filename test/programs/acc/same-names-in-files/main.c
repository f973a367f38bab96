// Two files with static functions and variables of the same names, each with its own region.
// arc: items>1
#include "../check.h"

#define N 64

int other(int *a, int n);

static int offset = 1;

static int helper(int i) { return i + 10; }

static int fill(int *a, int n) {
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = helper(i) + offset;
  return a[n - 1];
}

int main(void) {
  int a[N], b[N];
  EXPECT(fill(a, N), N + 10);
  EXPECT(other(b, N), 20 * (N - 1) + 2);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i + 11);
    EXPECT_AT(i, b[i], 20 * i + 2);
  }
  return report();
}
