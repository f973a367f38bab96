// Every spelling of atomic update, with every operator.
// arc: items>1
#include "check.h"

#define N 1009

int main(void) {
  int inc = 0, preinc = 0, dec = 0, predec = 0, plus = 0, minus = 0, binary = 0, reversed = 0, from = 1000000;
  unsigned or = 0, and = ~0u, xor = 0;
  double sum = 0, half = 1ULL << 40;
  long long product = 1;
  unsigned shifted = 1;

#pragma acc parallel loop copy(inc, preinc, dec, predec, plus, minus, binary, reversed, or, and, xor, sum, product)
  for (int i = 0; i < N; i++) {
#pragma acc atomic
    inc++;
#pragma acc atomic update
    ++preinc;
#pragma acc atomic update
    dec--;
#pragma acc atomic update
    --predec;
#pragma acc atomic update
    plus += i;
#pragma acc atomic update
    minus -= 2 * i;
#pragma acc atomic update
    binary = binary + i % 7;
#pragma acc atomic update
    reversed = i % 5 + reversed;
#pragma acc atomic update
    or |= 1u << (i % 31);
#pragma acc atomic update
    and &= ~(1u << (i % 30));
#pragma acc atomic update
    xor ^= (unsigned)i * 77u;
#pragma acc atomic update
    sum += 0.5;
#pragma acc atomic update
    product *= i % 100 == 0 ? 3 : 1;
  }
#pragma acc parallel loop copy(half, shifted, from)
  for (int i = 0; i < 20; i++) {
#pragma acc atomic update
    half /= 2;
#pragma acc atomic update
    shifted <<= 1;
#pragma acc atomic update
    from = from - i;
  }

  int want_binary = 0, want_reversed = 0;
  unsigned want_xor = 0;
  for (int i = 0; i < N; i++) {
    want_binary += i % 7;
    want_reversed += i % 5;
    want_xor ^= (unsigned)i * 77u;
  }
  EXPECT(inc, N);
  EXPECT(preinc, N);
  EXPECT(dec, -N);
  EXPECT(predec, -N);
  EXPECT(plus, N * (N - 1) / 2);
  EXPECT(minus, -N * (N - 1));
  EXPECT(binary, want_binary);
  EXPECT(reversed, want_reversed);
  EXPECT(or, 0x7fffffff);
  EXPECT(and, 0xc0000000u);
  EXPECT(xor, want_xor);
  NEAR(sum, 0.5 * N, 0);
  EXPECT(product, 177147);
  NEAR(half, 1 << 20, 0);
  EXPECT(shifted, 1 << 20);
  EXPECT(from, 1000000 - 190);
  return report();
}
