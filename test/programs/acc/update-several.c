// One update directive moves several variables, both ways at once, also scalars.
// arc: items>1
#include "check.h"

#define N 53

int main(void) {
  int a[N], b[N], c[N], scale = 1;
  for (int i = 0; i < N; i++)
    a[i] = b[i] = c[i] = i;

#pragma acc data copyin(a, b, c, scale)
  {
    scale = 10;
    for (int i = 0; i < N; i++)
      c[i] = 5;
#pragma acc update device(scale, c[0:N])
#pragma acc parallel loop present(a, b, c, scale)
    for (int i = 0; i < N; i++) {
      a[i] = scale * i;
      b[i] = c[i] - i;
    }
#pragma acc update self(a) host(b) device(scale)
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], 10 * i);
    EXPECT_AT(i, b[i], 5 - i);
  }
  return report();
}
