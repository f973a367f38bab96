// Loops of a kernels construct of which some carry values from one iteration to the next and some do not.
#include "check.h"

#define N 160

int main(void) {
  int a[N], b[N], c[N], d[N];
  for (int i = 0; i < N; i++)
    a[i] = b[i] = c[i] = d[i] = i;

#pragma acc kernels copy(a, b, c, d)
  {
    for (int i = 3; i < N; i++)
      a[i] = a[i - 3] + 1;
    for (int i = 0; i < N - 1; i++)
      b[i] = b[i + 1] * 2;
    for (int i = 0; i < N / 2; i++)
      c[2 * i] = c[2 * i + 1] + 100;
    for (int i = 0; i < N; i++)
      d[i * 7 % N] = i;
  }

  int want[N];
  for (int i = 0; i < N; i++)
    want[i] = i < 3 ? i : want[i - 3] + 1;
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], want[i]);
    EXPECT_AT(i, b[i], i < N - 1 ? 2 * (i + 1) : i);
    EXPECT_AT(i, c[i], i % 2 ? i : i + 101);
    EXPECT_AT(i * 7 % N, d[i * 7 % N], i);
  }
  return report();
}
