// Sections without start, without length, and of one element.
// arc: items>1
#include "check.h"

#define N 97

int main(void) {
  int a[N], b[N], c[N];
  for (int i = 0; i < N; i++)
    a[i] = b[i] = c[i] = i;

#pragma acc parallel loop copy(a[:50])
  for (int i = 0; i < 50; i++)
    a[i] = 0;
#pragma acc parallel loop copy(b[50:])
  for (int i = 50; i < N; i++)
    b[i] = 0;
#pragma acc parallel loop copyin(a[:]) copy(c[7:1])
  for (int i = 7; i < 8; i++)
    c[i] = a[i + 60];

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a[i], i < 50 ? 0 : i);
    EXPECT_AT(i, b[i], i < 50 ? i : 0);
    EXPECT_AT(i, c[i], i == 7 ? 67 : i);
  }
  return report();
}
