// Functions that regions call are routines without a directive: their loops use the levels that are left to them.
// arc: items>1, gcc-cannot loops in functions without a routine directive
#include "check.h"

enum { N = 57, ROWS = 5 };

static int total(const int *a, int n) {
  int sum = 0;
#pragma acc loop reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

static void scale(int *a, int n, int by) {
#pragma acc loop vector
  for (int i = 0; i < n; i++) a[i] *= by;
}

static void scaled(int *a, int n) { scale(a, n, 3); }

static int bound(const int *a, int n) {
  int sum = 0;
#pragma acc loop vector reduction(+ : sum)
  for (int i = 0; i < n; i++) sum -= a[i];
  return sum;
}

#pragma acc routine vector bind(bound)
static int by_host(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  return sum < 0 ? sum : -sum;
}

int main(void) {
  int a[ROWS][N], sums[ROWS], lanes[N], negative[ROWS];
  for (int r = 0; r < ROWS; r++)
    for (int i = 0; i < N; i++) a[r][i] = r + i;
#pragma acc data copy(a) copyout(sums, lanes, negative)
  {
#pragma acc parallel loop gang vector
    for (int i = 0; i < N; i++) lanes[i] = total(a[i % ROWS], i);
#pragma acc parallel loop gang
    for (int r = 0; r < ROWS; r++) {
      scaled(a[r], N);
      sums[r] = total(a[r], N);
      negative[r] = by_host(a[r], N);
    }
  }
  for (int i = 0; i < N; i++) EXPECT_AT(i, lanes[i], i * (i % ROWS) + i * (i - 1) / 2);
  for (int r = 0; r < ROWS; r++) {
    EXPECT_AT(r, sums[r], 3 * (N * r + N * (N - 1) / 2));
    EXPECT_AT(r, negative[r], -sums[r]);
    for (int i = 0; i < N; i++) EXPECT_AT(i, a[r][i], 3 * (r + i));
  }
  return report();
}
