/* A round of AES: substitution, rows, columns, key; the state is a union of bytes and words. */
typedef unsigned char byte;
typedef union { byte b[4]; unsigned w; } column;
static byte times2(byte v) { return v << 1 ^ (v & 0x80 ? 0x1b : 0); }
static byte sub(byte v) {
  byte r = 1, p = v;
  for (int k = 0; k < 7; k++) {
    p = times2(p) ^ v;
    r ^= p;
  }
  return r ^ (r << 1 | r >> 7) ^ 0x63;
}
void work(const byte *in, const unsigned *key, byte *out) {
#pragma acc serial copyin(in[0:16], key[0:4]) copyout(out[0:16])
  {
    byte s[4][4];
    for (int i = 0; i < 16; i++) s[i % 4][i / 4] = sub(in[i]);
    for (int r = 1; r < 4; r++) {
      byte t[4];
      for (int c = 0; c < 4; c++) t[c] = s[r][(c + r) % 4];
      for (int c = 0; c < 4; c++) s[r][c] = t[c];
    }
    for (int c = 0; c < 4; c++) {
      column x, y;
      for (int r = 0; r < 4; r++) x.b[r] = s[r][c];
      byte all = x.b[0] ^ x.b[1] ^ x.b[2] ^ x.b[3];
      for (int r = 0; r < 4; r++) y.b[r] = x.b[r] ^ all ^ times2(x.b[r] ^ x.b[(r + 1) & 3]);
      y.w ^= key[c];
      for (int r = 0; r < 4; r++) out[4 * c + r] = y.b[r];
    }
  }
}
