/* Roots by Newton in double, and an integer root by bits. */
static unsigned root(unsigned long long v) {
  unsigned long long r = 0, bit = 1ull << 62;
  while (bit > v) bit >>= 2;
  for (; bit; bit >>= 2)
    if (v >= r + bit) { v -= r + bit; r = (r >> 1) + bit; }
    else r >>= 1;
  return (unsigned)r;
}
void work(const unsigned *in, double *out, unsigned *whole) {
#pragma acc serial copyin(in[0:6]) copyout(out[0:6], whole[0:6])
  for (int i = 0; i < 6; i++) {
    double v = in[i] % 1000 + 1, x = v;
    for (int k = 0; k < 8; k++) x = 0.5 * (x + v / x);
    out[i] = x;
    whole[i] = root((unsigned long long)in[i] * in[i] + i);
  }
}
