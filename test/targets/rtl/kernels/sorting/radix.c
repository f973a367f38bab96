/* Radix sort: counts, offsets and a scatter for each digit. */
void work(unsigned *a) {
#pragma acc serial copy(a[0:48])
  {
    unsigned other[48], *in = a;
    for (int shift = 0; shift < 32; shift += 8) {
      unsigned short offset[256] = {0};
      for (int i = 0; i < 48; i++) offset[in[i] >> shift & 255]++;
      unsigned short sum = 0;
      for (int d = 0; d < 256; d++) {
        unsigned short n = offset[d];
        offset[d] = sum;
        sum += n;
      }
      for (int i = 0; i < 48; i++) other[offset[in[i] >> shift & 255]++] = in[i];
      for (int i = 0; i < 48; i++) a[i] = other[i];
    }
  }
}
