// Plain loops may change their counters through pointers and by functions; others may let them be read.
#include "check.h"

#pragma acc routine seq
static void skip(int *k) { *k += 1; }

#pragma acc routine seq
static int twice(int *k) { return 2 * *k; }

int main(void) {
  enum { N = 37 };
  int a[N];
  for (int i = 0; i < N; i++) a[i] = 0;

#pragma acc parallel loop copy(a)
  for (int i = 0; i < N; i++) {
    const int *own = &i;
    int sum = twice(&i);
    for (int k = 0; k < 20; k++) {
      int *p = &k;
      sum += k + *own;
      if (sum % 3 == 0) *p = k + 2;
      skip(&k);
    }
    a[i] = sum;
  }

  for (int i = 0; i < N; i++) {
    int sum = 2 * i;
    for (int k = 0; k < 20; k += 2) {
      sum += k + i;
      if (sum % 3 == 0) k += 2;
    }
    EXPECT_AT(i, a[i], sum);
  }
  return report();
}
