// ++ and -- before and after, compound assignments with narrowing, chains of assignments.
// arc: items>1
#include "check.h"

#define N 97

static int reference(int i) {
  int x = i, y = 0;
  short s = (short)(i * 300);
  unsigned char c = 250;
  float f = 0.5f;
  y = x++ + 2;
  y += --x * 3;
  s += 1000;
  s >>= 1;
  c += i;
  c <<= 1;
  f *= i;
  f -= 0.25f;
  x = y = y - 1;
  x ^= 0x55;
  x %= 41;
  return x + y + s + c + (int)f;
}

int main(void) {
  static int a[N];

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) {
    int x = i, y = 0;
    short s = (short)(i * 300);
    unsigned char c = 250;
    float f = 0.5f;
    y = x++ + 2;
    y += --x * 3;
    s += 1000;
    s >>= 1;
    c += i;
    c <<= 1;
    f *= i;
    f -= 0.25f;
    x = y = y - 1;
    x ^= 0x55;
    x %= 41;
    a[i] = x + y + s + c + (int)f;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], reference(i));
  return report();
}
