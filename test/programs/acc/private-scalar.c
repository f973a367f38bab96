// A private clause gives each iteration its own scalar, although it is declared outside.
// arc: items>1
#include "check.h"

#define N 1201

int main(void) {
  static int a[N];
  int t = 77;

#pragma acc parallel loop private(t) copyout(a)
  for (int i = 0; i < N; i++) {
    t = i % 10;
    for (int k = 0; k < 3; k++)
      t = t * 2 + 1;
    a[i] = t;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], (i % 10) * 8 + 7);
  return report();
}
