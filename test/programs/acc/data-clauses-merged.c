// A variable in two data clauses of one directive moves as both say together; data without clauses and routine without a level.
// arc: items>1, gcc-cannot variables appear more than once in clauses
#include "check.h"

#define N 103

#pragma acc routine
static int next(int x) {
  return x + 1;
}

int main(void) {
  int a[N], b[N], c[N], d[N];
  for (int i = 0; i < N; i++) {
    a[i] = i;
    b[i] = 2 * i;
    c[i] = 7;
    d[i] = 3 * i;
  }

#pragma acc data copyin(a) copyout(a) create(zero: c), copyout(c)
  {
#pragma acc parallel loop copyout(b[0:N]) copyin(b[0:N])
    for (int i = 0; i < N; i++) {
      a[i] = next(a[i]);
      b[i] += a[i];
      c[i] = a[i];
    }
  }

#pragma acc data
  {
#pragma acc parallel loop create(zero: d) copyin(d) copyout(c)
    for (int i = 0; i < N; i++) c[i] = d[i];
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i + 1);
    EXPECT_AT(i, b[i], 3 * i + 1);
    EXPECT_AT(i, c[i], 3 * i);
    EXPECT_AT(i, d[i], 3 * i);
  }
  return report();
}
