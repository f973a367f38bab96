// Reductions over char and short variables.
// arc: items>1
#include "check.h"

#define N 613

int main(void) {
  static short a[N];
  for (int i = 0; i < N; i++)
    a[i] = (short)((i * 71) % N - 300);
  short sum = 100, most = -32768;
  signed char least = 127;
  unsigned char bits = 0;
  int want_sum = 100;
  unsigned want_bits = 0;
  for (int i = 0; i < N; i++) {
    want_sum += a[i];
    want_bits |= i % 5 == 0 ? 0x21 : 0x04;
  }

#pragma acc parallel loop reduction(+:sum) reduction(max:most) reduction(min:least) reduction(|:bits) copyin(a)
  for (int i = 0; i < N; i++) {
    sum += a[i];
    most = a[i] > most ? a[i] : most;
    signed char small = (signed char)(a[i] % 50);
    least = small < least ? small : least;
    bits |= i % 5 == 0 ? 0x21 : 0x04;
  }

  EXPECT(sum, (short)want_sum);
  EXPECT(most, N - 1 - 300);
  EXPECT(least, -49);
  EXPECT(bits, want_bits);
  return report();
}
