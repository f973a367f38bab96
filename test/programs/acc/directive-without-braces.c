// Directives under if, else and for without braces bind to the next statement.
// arc: items>1
#include "check.h"

#define N 173

static void scale(int *a, int n, int negative) {
  if (negative)
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
      a[i] = -a[i];
  else
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
      a[i] = 2 * a[i];
}

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

  scale(a, N, 1);
  scale(a, N, 0);
  for (int times = 0; times < 3; times++)
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++)
      a[i] += 1;

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], -2 * i + 3);
  return report();
}
