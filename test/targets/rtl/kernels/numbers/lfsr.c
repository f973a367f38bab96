/* LFSRs of Fibonacci and Galois, and xorshift. */
void work(const unsigned *seed, unsigned *out) {
#pragma acc serial copyin(seed[0:3]) copyout(out[0:60])
  {
    unsigned short f = seed[0] | 1, g = seed[1] | 1;
    unsigned long long x = seed[2] | 1ull << 40;
    for (int i = 0; i < 20; i++) {
      unsigned short bit = (f ^ f >> 2 ^ f >> 3 ^ f >> 5) & 1;
      f = f >> 1 | bit << 15;
      g = (g >> 1) ^ (-(g & 1) & 0xb400u);
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      out[3 * i] = f;
      out[3 * i + 1] = g;
      out[3 * i + 2] = (unsigned)(x * 0x2545f4914f6cdd1dull >> 32);
    }
  }
}
