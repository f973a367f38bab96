// A union reads a float's bits; bit-fields pack small numbers.
// arc: items>1
#include "check.h"

union word {
  float f;
  unsigned u;
  unsigned char bytes[4];
};

struct packed {
  unsigned low : 5;
  signed mid : 7;
  unsigned high : 20;
};

#define N 133

int main(void) {
  static unsigned sign[N], exponent[N];
  static struct packed p[N];

#pragma acc parallel loop copyout(sign, exponent, p)
  for (int i = 0; i < N; i++) {
    union word w;
    w.f = (i % 2 ? -1.0f : 1.0f) * (i + 1);
    sign[i] = w.bytes[3] >> 7;
    exponent[i] = (w.u >> 23 & 0xff) - 127;
    p[i].low = i;
    p[i].mid = i % 100 - 50;
    p[i].high = 5000 * i;
  }

  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, sign[i], i % 2);
    EXPECT_AT(i, 1 << exponent[i] <= i + 1 && i + 1 < 2 << exponent[i], 1);
    EXPECT_AT(i, p[i].low, i % 32);
    EXPECT_AT(i, p[i].mid, i % 100 - 50);
    EXPECT_AT(i, p[i].high, 5000 * i % (1 << 20));
  }
  return report();
}
