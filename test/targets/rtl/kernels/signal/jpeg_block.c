/* A block of JPEG: a DCT by rows and columns, quantisation, zigzag and run lengths. */
static const unsigned char zigzag[64] = {0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
static const short basis[64] = {91, 91, 91, 91, 91, 91, 91, 91, 126, 106, 71, 25, -25, -71, -106, -126, 118, 49, -49, -118, -118, -49, 49, 118, 106, -25, -126, -71, 71, 126, 25, -106, 91, -91, -91, 91, 91, -91, -91, 91, 71, -126, 25, 106, -106, -25, 126, -71, 49, -118, 118, -49, -49, 118, -118, 49, 25, -71, 106, -126, 126, -106, 71, -25};
typedef struct { unsigned char run; short level; } pair;
void work(const unsigned char *in, short *levels, unsigned char *runs, int *count) {
#pragma acc serial copyin(in[0:64]) copy(levels[0:64], runs[0:64], count[0:1])
  {
    int mid[8][8], block[64];
    for (int r = 0; r < 8; r++)
      for (int u = 0; u < 8; u++) {
        int s = 0;
        for (int c = 0; c < 8; c++) s += (in[r * 8 + c] - 128) * basis[u * 8 + c];
        mid[r][u] = s >> 8;
      }
    for (int u = 0; u < 8; u++)
      for (int v = 0; v < 8; v++) {
        int s = 0;
        for (int r = 0; r < 8; r++) s += mid[r][u] * basis[v * 8 + r];
        block[v * 8 + u] = (s >> 8) / (8 + u + v);
      }
    int n = 0, run = 0;
    for (int k = 0; k < 64; k++) {
      short v = block[zigzag[k]];
      if (v == 0) { run++; continue; }
      pair p = {run, v};
      runs[n] = p.run;
      levels[n++] = p.level;
      run = 0;
    }
    *count = n;
  }
}
