// Variables that a kernels region declares: some are the same in every statement, one hands a value on from statement to statement.
// arc: items>1
#include "check.h"

#define N 1013

static int a[N], b[N];

static void apart(int n, int factor) {
#pragma acc kernels copy(a[0:n]) copyout(b[0:n])
  {
    int twice = 2 * factor, more = twice + 1;
    int unset;
    for (int i = 0; i < n; i++)
      a[i] = a[i] * twice;
    unset = 7;
    for (int i = 0; i < n; i++)
      b[i] = a[i] + more;
    for (int i = 1; i < n; i++)
      b[i] += b[i - 1];
  }
}

static void together(int n) {
#pragma acc kernels copy(a[0:n], b[0:n])
  {
    int first = a[0], sum = 0;
    for (int i = 0; i < n; i++)
      a[i] += first;
    for (int i = 0; i < n; i++)
      sum += a[i];
    first = sum % 100;
    for (int i = 0; i < n; i++)
      b[i] = first + sum + i;
  }
}

int main(void) {
  int sizes[] = {1, 2, 257, N};
  static int a_w[N], b_w[N];
  for (int s = 0; s < 4; s++) {
    int n = sizes[s], last = 0, sum = 0;
    for (int i = 0; i < n; i++)
      a[i] = i % 11 - 3;
    for (int i = 0; i < n; i++) {
      a_w[i] = (i % 11 - 3) * 6;
      b_w[i] = last += a_w[i] + 7;
    }
    apart(n, 3);
    for (int i = 0; i < n; i++) {
      EXPECT_AT(i, a[i], a_w[i]);
      EXPECT_AT(i, b[i], b_w[i]);
    }
    together(n);
    for (int i = 0; i < n; i++)
      sum += a_w[i] - 18;
    for (int i = 0; i < n; i++) {
      EXPECT_AT(i, a[i], a_w[i] - 18);
      EXPECT_AT(i, b[i], sum % 100 + sum + i);
    }
  }
  return report();
}
