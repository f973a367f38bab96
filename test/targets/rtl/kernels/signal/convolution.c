/* A 3 x 3 convolution with two line buffers and a window, at the rate of a pixel per step. */
void work(const unsigned char *in, unsigned char *out) {
#pragma acc serial copyin(in[0:192]) copyout(out[0:192])
  {
    enum { W = 16, H = 12 };
    unsigned char lines[2][W], window[3][3] = {{0}};
    static const signed char k[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    for (int c = 0; c < W; c++) lines[0][c] = lines[1][c] = 0;
    for (int r = 0; r < H; r++)
      for (int c = 0; c < W; c++) {
        unsigned char p = in[r * W + c];
        for (int i = 0; i < 3; i++) { window[i][0] = window[i][1]; window[i][1] = window[i][2]; }
        window[0][2] = lines[0][c];
        window[1][2] = lines[1][c];
        window[2][2] = p;
        lines[0][c] = lines[1][c];
        lines[1][c] = p;
        int sum = 0;
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++) sum += window[i][j] * k[i][j];
        out[r * W + c] = r < 2 || c < 2 ? 0 : sum / 16;
      }
  }
}
