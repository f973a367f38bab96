// Loop variables of unsigned types, one near the top of its range.
// arc: items>1
#include "check.h"
#include <stddef.h>

#define N 509

int main(void) {
  static unsigned a[N], b[N];
  static unsigned char c[200];

#pragma acc parallel loop copyout(a)
  for (size_t i = 0; i < N; i++)
    a[i] = (unsigned)(i * i);
#pragma acc parallel loop copyout(b)
  for (unsigned i = 4294967295u - N; i < 4294967295u; i++)
    b[i - (4294967295u - N)] = i;
#pragma acc parallel loop copyout(c)
  for (unsigned char i = 0; i < 200; i++)
    c[i] = 200 - i;

  for (unsigned i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i * i);
    EXPECT_AT(i, b[i], 4294967295u - N + i);
  }
  for (int i = 0; i < 200; i++)
    EXPECT_AT(i, c[i], 200 - i);
  return report();
}
