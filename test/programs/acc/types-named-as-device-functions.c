// Types and structures of a region that have the names of functions that kernel languages define.
#include "check.h"

enum { N = 9 };

int main(void) {
  int x[N];
  for (int i = 0; i < N; i++) x[i] = i;
#pragma acc parallel loop copy(x)
  for (int i = 0; i < N; i++) {
    typedef int max;
    typedef struct { int a; } any;
    struct all { short b; };
    typedef unsigned rsqrt;
    enum clock64 { min = 5 };
    max m = i * 2;
    any n = {m};
    struct all o = {(short)(n.a + 1)};
    rsqrt p = (rsqrt)o.b;
    enum clock64 q = min;
    x[i] += (int)p + (int)q;
  }
  for (int i = 0; i < N; i++) EXPECT_AT(i, x[i], 3 * i + 6);
  return report();
}
