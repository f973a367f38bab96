/* CRC-32 bit by bit, and by a table made before. */
void work(const unsigned char *in, unsigned *crc) {
#pragma acc serial copyin(in[0:64]) copyout(crc[0:2])
  {
    unsigned table[256];
    for (unsigned n = 0; n < 256; n++) {
      unsigned c = n;
      for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
      table[n] = c;
    }
    unsigned c = ~0u;
    for (int i = 0; i < 64; i++) c = table[(c ^ in[i]) & 255] ^ c >> 8;
    crc[0] = ~c;
    c = 0xffffffff;
    const unsigned char *p = in;
    while (p != in + 64) {
      c ^= *p++;
      for (int k = 8; k--;) c = (c >> 1) ^ (0xedb88320u & -(c & 1));
    }
    crc[1] = ~c;
  }
}
