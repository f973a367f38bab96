// Shifts and bit operations on signed and unsigned integers of several widths.
// arc: items>1
#include "check.h"

#define N 211

static unsigned long long reference(int i) {
  int s = 3 * i - 300;
  unsigned u = (unsigned)s;
  unsigned long long w = (unsigned long long)u * 0x100000001ull;
  unsigned char c = (unsigned char)(i << 3);
  w = w >> (i % 64) | w << (63 - i % 64);
  return w ^ (unsigned long long)(s >> 2) ^ (~u & 0xff00u) ^ (c >> 1) ^ (unsigned short)~c;
}

int main(void) {
  static unsigned long long a[N];

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) {
    int s = 3 * i - 300;
    unsigned u = (unsigned)s;
    unsigned long long w = (unsigned long long)u * 0x100000001ull;
    unsigned char c = (unsigned char)(i << 3);
    w = w >> (i % 64) | w << (63 - i % 64);
    a[i] = w ^ (unsigned long long)(s >> 2) ^ (~u & 0xff00u) ^ (c >> 1) ^ (unsigned short)~c;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i] == reference(i), 1);
  return report();
}
