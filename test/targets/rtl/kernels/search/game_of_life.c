/* Conway's game in rows of bits, with a three-dimensional array for the steps. */
void work(const unsigned char *in, unsigned char *out) {
#pragma acc serial copyin(in[0:64]) copyout(out[0:64])
  {
    unsigned char w[2][8][8];
    for (int i = 0; i < 64; i++) w[0][i / 8][i % 8] = in[i] & 1;
    int now = 0;
    for (int step = 0; step < 3; step++, now ^= 1)
      for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
          int n = 0;
          for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
              if (dy || dx) n += w[now][(y + dy) & 7][(x + dx) & 7];
          w[!now][y][x] = n == 3 || (n == 2 && w[now][y][x]);
        }
    for (int i = 0; i < 64; i++) out[i] = w[now][i >> 3][i & 7];
  }
}
