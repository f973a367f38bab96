// Two functions with regions of the same shape and variables of the same names but other types.
// arc: items>1
#include "check.h"

#define N 131

static void first(int *a, int n) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = a[i] / 2;
}

static void second(double *a, int n) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = a[i] / 2;
}

static void third(int *a, int n) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = a[i] / 2;
}

int main(void) {
  int a[N];
  double b[N];
  for (int i = 0; i < N; i++)
    a[i] = b[i] = 4 * i + 2;
  first(a, N);
  second(b, N);
  third(a, N);
  second(b, N);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i);
    NEAR_AT(i, b[i], i + 0.5, 0);
  }
  return report();
}
