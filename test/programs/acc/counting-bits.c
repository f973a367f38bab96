// Builtins that count bits, and hints, compute on every target what they compute on the host.
#include <stdio.h>

static int counted(unsigned x, unsigned long y) {
  int bits = __builtin_popcount(x) + 7 * __builtin_clz(x) + 11 * __builtin_ctz(x) + 13 * __builtin_ffs(x);
  int wide = __builtin_popcountl(y) + 7 * __builtin_clzl(y) + 11 * __builtin_ctzl(y) + 13 * __builtin_ffsl(y);
  return __builtin_expect(x > 5, 1) ? bits + 1000 * wide + __builtin_parity(x) : wide - __builtin_parityl(y);
}

int main(void) {
  int found[133], most[133];
#pragma acc parallel loop copyout(found, most)
  for (int i = 0; i < 133; i++) {
    found[i] = counted(i * 77 + 1, (i + 1ul) << (i % 48));
    most[i] = __builtin_bswap32(i) ^ (int)__builtin_fmaxf(i, 30);
  }
  int wrong = 0;
  for (int i = 0; i < 133; i++)
    wrong += found[i] != counted(i * 77 + 1, (i + 1ul) << (i % 48)) ||
             most[i] != (int)(__builtin_bswap32(i) ^ (i > 30 ? i : 30));
  if (wrong)
    printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}
