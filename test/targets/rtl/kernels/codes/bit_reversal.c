/* Bits reversed and counted, in 8, 32 and 64 bits. */
static unsigned char reversed8(unsigned char b) {
  b = (b & 0xf0) >> 4 | (b & 0x0f) << 4;
  b = (b & 0xcc) >> 2 | (b & 0x33) << 2;
  return (b & 0xaa) >> 1 | (b & 0x55) << 1;
}
static int ones(unsigned long long v) {
  int n = 0;
  for (; v; v &= v - 1) n++;
  return n;
}
void work(const unsigned long long *in, unsigned long long *out, int *count) {
#pragma acc serial copyin(in[0:10]) copyout(out[0:10], count[0:20])
  for (int i = 0; i < 10; i++) {
    unsigned long long r = 0;
    for (int k = 0; k < 8; k++) r |= (unsigned long long)reversed8(in[i] >> 8 * k) << (56 - 8 * k);
    out[i] = r;
    count[2 * i] = ones(in[i]);
    count[2 * i + 1] = __builtin_popcountll(r) * 100 + __builtin_clz((unsigned)in[i] | 1);
  }
}
