// gcc's builtins of bits with arguments of every integer type, the least and the greatest number among them.
#include <stdio.h>

#define N 72

static unsigned long v[N];
static long r[N][26];

int main(void) {
  unsigned long x = 88172645463325252ul;
  for (int i = 0; i < N; i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    v[i] = i < 8 ? (unsigned long)(i - 4) : i < 40 ? x >> (i + 24) : i < 56 ? ~x >> (i - 10) : x;
  }
#pragma acc parallel loop copyin(v) copyout(r)
  for (int i = 0; i < N; i++) {
    unsigned u = v[i];
    unsigned short us = v[i];
    signed char sc = v[i];
    short ss = v[i];
    int at = 0, steps = 0;
    r[i][at++] = __builtin_popcount(v[i]);
    r[i][at++] = __builtin_popcountl(v[i]);
    r[i][at++] = __builtin_popcountll(sc);
    r[i][at++] = __builtin_parity(ss) + 2 * __builtin_parityl(ss) + 4 * __builtin_parityll(v[i]);
    r[i][at++] = __builtin_clz(u | 1) + 100 * __builtin_clz(us | 1);
    r[i][at++] = __builtin_clzl(v[i] | 1) + 100 * __builtin_clzll(sc | 1);
    r[i][at++] = __builtin_ctz(u | 1u << 31) + 100 * __builtin_ctz(ss | 1 << 20);
    r[i][at++] = __builtin_ctzl(v[i] | 1ul << 63) + 100 * __builtin_ctzll(sc | 1l << 40);
    r[i][at++] = __builtin_ffs(u) + 100 * __builtin_ffs(sc);
    r[i][at++] = __builtin_ffsl(v[i]) + 100 * __builtin_ffsll(us);
    r[i][at++] = __builtin_clrsb(u) + 100 * __builtin_clrsb(sc);
    r[i][at++] = __builtin_clrsbl(v[i]) + 100 * __builtin_clrsbll(ss);
    r[i][at++] = __builtin_bswap16(v[i]);
    r[i][at++] = __builtin_bswap16(sc) * 3;
    r[i][at++] = __builtin_bswap32(v[i]);
    r[i][at++] = __builtin_bswap32(ss) >> 3;
    r[i][at++] = __builtin_bswap64(v[i]);
    r[i][at++] = (int)(__builtin_bswap64(sc) >> 50);
    r[i][at++] = __builtin_bswap32(__builtin_bswap16(u) << 8) + __builtin_popcount(__builtin_ctz(u | 8));
    r[i][at++] = __builtin_ctz((++steps, u | 2));
    r[i][at++] = __builtin_ffs(steps++ + 6);
    r[i][at++] = __builtin_bswap16(u) - 70000 < 0 ? steps : -steps;
    r[i][at++] = __builtin_expect(__builtin_clz(u | 16) > 3, 1) + (__builtin_abs(ss) << 1) + __builtin_labs(sc);
    r[i][at++] = -__builtin_popcount(u) * 2 - __builtin_clz(u | 4) / 2;
    r[i][at++] = sizeof __builtin_bswap16(u) + 10 * sizeof __builtin_ffsl(v[i]) + 100 * sizeof __builtin_bswap64(u);
    r[i][at] = at;
  }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 26; k++) printf(k < 25 ? "%ld " : "%ld\n", r[i][k]);
}
