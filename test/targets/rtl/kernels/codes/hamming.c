/* Hamming(12,8): coded, damaged and repaired. */
static unsigned coded(unsigned char d) {
  unsigned c = 0;
  for (int i = 1, k = 0; i <= 12; i++)
    if (i & (i - 1)) c |= (d >> k++ & 1u) << i;
  for (int p = 1; p <= 8; p <<= 1) {
    unsigned parity = 0;
    for (int i = 1; i <= 12; i++)
      if (i & p) parity ^= c >> i & 1;
    c |= parity << p;
  }
  return c;
}
void work(const unsigned char *in, unsigned char *out) {
#pragma acc serial copyin(in[0:24]) copyout(out[0:24])
  for (int n = 0; n < 24; n++) {
    unsigned c = coded(in[n]) ^ 1u << (n % 13), syndrome = 0, d = 0;
    for (int i = 1; i <= 12; i++)
      if (c >> i & 1) syndrome ^= i;
    c ^= 1u << syndrome;
    for (int i = 1, k = 0; i <= 12; i++)
      if (i & (i - 1)) d |= (c >> i & 1) << k++;
    out[n] = d;
  }
}
