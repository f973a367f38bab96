/* A Bloom filter in words of bits. */
static unsigned hashed(unsigned v, unsigned seed) {
  v ^= seed;
  v *= 0x85ebca6bu;
  v ^= v >> 13;
  v *= 0xc2b2ae35u;
  return v ^ v >> 16;
}
void work(const unsigned *in, const unsigned *asked, unsigned char *maybe) {
#pragma acc serial copyin(in[0:20], asked[0:30]) copyout(maybe[0:30])
  {
    unsigned long long filter[4] = {0};
    for (int i = 0; i < 20; i++)
      for (unsigned k = 0; k < 3; k++) {
        unsigned h = hashed(in[i] & 63, k * 0x9e3779b9u) & 255;
        filter[h >> 6] |= 1ull << (h & 63);
      }
    for (int i = 0; i < 30; i++) {
      _Bool all = 1;
      for (unsigned k = 0; k < 3 && all; k++) {
        unsigned h = hashed(asked[i] & 63, k * 0x9e3779b9u) & 255;
        all = all && filter[h >> 6] >> (h & 63) & 1;
      }
      maybe[i] = all;
    }
  }
}
