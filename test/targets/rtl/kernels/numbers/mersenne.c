/* A Mersenne twister, MT19937, with its state in block RAM. */
enum { N = 624, M = 397 };
void work(const unsigned *seed, unsigned *out) {
#pragma acc serial copyin(seed[0:1]) copyout(out[0:16])
  {
    unsigned mt[N];
    int index = N;
    mt[0] = seed[0];
    for (int i = 1; i < N; i++) mt[i] = 1812433253u * (mt[i - 1] ^ mt[i - 1] >> 30) + i;
    for (int n = 0; n < 16; n++) {
      if (index >= N) {
        for (int i = 0; i < N; i++) {
          unsigned y = (mt[i] & 0x80000000u) | (mt[(i + 1) % N] & 0x7fffffffu);
          mt[i] = mt[(i + M) % N] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        index = 0;
      }
      unsigned y = mt[index++];
      y ^= y >> 11;
      y ^= y << 7 & 0x9d2c5680u;
      y ^= y << 15 & 0xefc60000u;
      out[n] = y ^ y >> 18;
    }
  }
}
