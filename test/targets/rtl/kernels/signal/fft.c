/* A fixed-point FFT in place: bit reversal, then stages of butterflies. */
typedef struct { int re, im; } cplx;
static const short cosines[16] = {16384, 16069, 15137, 13623, 11585, 9102, 6270, 3196, 0, -3196, -6270, -9102, -11585, -13623, -15137, -16069};
static const short sines[16] = {0, -3196, -6270, -9102, -11585, -13623, -15137, -16069, -16384, -16069, -15137, -13623, -11585, -9102, -6270, -3196};
static unsigned reversed(unsigned v, int bits) {
  unsigned r = 0;
  while (bits--) { r = r << 1 | (v & 1); v >>= 1; }
  return r;
}
void work(int *re, int *im) {
#pragma acc serial copy(re[0:32], im[0:32])
  {
    cplx x[32];
    for (unsigned i = 0; i < 32; i++) {
      unsigned r = reversed(i, 5);
      x[r].re = re[i] % 1000;
      x[r].im = im[i] % 1000;
    }
    for (int half = 1, step = 16; half < 32; half *= 2, step /= 2)
      for (int start = 0; start < 32; start += 2 * half)
        for (int k = 0; k < half; k++) {
          cplx *a = &x[start + k], *b = a + half;
          int wr = cosines[k * step], wi = sines[k * step];
          cplx t = {(b->re * wr - b->im * wi) >> 14, (b->re * wi + b->im * wr) >> 14};
          b->re = a->re - t.re;
          b->im = a->im - t.im;
          a->re += t.re;
          a->im += t.im;
        }
    for (int i = 0; i < 32; i++) { re[i] = x[i].re; im[i] = x[i].im; }
  }
}
