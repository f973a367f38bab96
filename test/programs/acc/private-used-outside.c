// A variable that one loop has by private is what it was before in the rest of the region, also in the loop's extent.
// arc: directives-needed, items>1, gcc-cannot evaluate the extent of a loop with what its private variable was before
#include "check.h"

#define N 301

static int everywhere = 5;

int main(void) {
  static int a[N], b[N], c[N], d[N], e[N];
  int v = 7, rows[3] = {1, 2, 3}, n = N;
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc parallel copyin(a) copyout(b, c)
  {
#pragma acc loop gang
    for (int i = 0; i < N; i++)
      b[i] = v + rows[1] + everywhere;
#pragma acc loop gang private(v, rows, everywhere)
    for (int i = 0; i < N; i++) {
      v = a[i];
      rows[1] = 2 * v;
      everywhere = 3;
      c[i] = v + rows[1] + everywhere;
    }
  }
#pragma acc parallel copyin(a) copyout(d)
  {
#pragma acc loop gang private(n)
    for (int i = 0; i < n; i++) {
      n = a[i];
      d[i] = n * v;
    }
  }
#pragma acc kernels copyin(a) copyout(e)
  {
#pragma acc loop independent private(v)
    for (int i = 0; i < N; i++) {
      v = a[i];
      e[i] = v;
    }
    e[0] = v;
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, b[i], 14);
    EXPECT_AT(i, c[i], 3 * i + 3);
    EXPECT_AT(i, d[i], 7 * i);
    EXPECT_AT(i, e[i], i == 0 ? 7 : i);
  }
  return report();
}
