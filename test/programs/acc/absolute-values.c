// Functions of the C library take what C converts their arguments to: absolute values of wide, unsigned and floating-point numbers.
// arc: items>1, warns
#include "check.h"
#include <stdlib.h>

#define N 101

struct narrow {
  unsigned u : 5;
  signed char c;
  _Bool b;
};

int main(void) {
  static int out[N], want[N];
  for (int i = 0; i < N; i++) {
    float x = (float)i * 0.75f - 30;
    want[i] = (i < 50 ? 50 - i : i - 50) + (int)(x < 0 ? -x : x) + i % 32 + 7 + 1 + i;
  }
#pragma acc parallel loop copyout(out)
  for (int i = 0; i < N; i++) {
    long l = 4294967296 * i - 50 + i;
    float x = (float)i * 0.75f - 30;
    struct narrow n = {i % 32, -7, i >= 0};
    out[i] = abs(l) + abs(x) + abs(n.u) + abs(n.c) + abs(n.b) + labs((short)-i);
  }
  for (int i = 0; i < N; i++) EXPECT_AT(i, out[i], want[i]);
  return report();
}
