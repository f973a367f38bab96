// A region with many scalar and array arguments of many types.
// arc: items>1
#include "check.h"

#define N 53

int main(void) {
  char a = 1;
  signed char b = -2;
  unsigned char c = 3;
  short d = -4;
  unsigned short e = 5;
  int f = -6;
  unsigned g = 7;
  long h = -8;
  unsigned long j = 9;
  long long k = -10;
  unsigned long long l = 11;
  float m = 0.5f;
  double n = -0.25;
  _Bool o = 1;
  int a1[N], a2[N], a3[N], a4[N], a5[N], a6[N], a7[N], a8[N];
  double sums[N];

#pragma acc parallel loop copyout(a1, a2, a3, a4, a5, a6, a7, a8, sums)
  for (int i = 0; i < N; i++) {
    a1[i] = i + a;
    a2[i] = i + b;
    a3[i] = i + c;
    a4[i] = i + d + e;
    a5[i] = i + f + (int)g;
    a6[i] = i + (int)h + (int)j;
    a7[i] = i + (int)k + (int)l;
    a8[i] = i + o;
    sums[i] = m + n * i;
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, a1[i], i + 1);
    EXPECT_AT(i, a2[i], i - 2);
    EXPECT_AT(i, a3[i], i + 3);
    EXPECT_AT(i, a4[i], i + 1);
    EXPECT_AT(i, a5[i], i + 1);
    EXPECT_AT(i, a6[i], i + 1);
    EXPECT_AT(i, a7[i], i + 1);
    EXPECT_AT(i, a8[i], i + 1);
    NEAR_AT(i, sums[i], 0.5 - 0.25 * i, 0);
  }
  return report();
}
