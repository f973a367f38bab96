/* A quantised convolution over channels, then the maximum of 2 x 2. */
void work(const signed char (*restrict x)[6][6], const signed char (*restrict w)[2][3][3], signed char (*restrict y)[2][2]) {
#pragma acc serial copyin(x[0:2][0:6][0:6], w[0:3][0:2][0:3][0:3]) copyout(y[0:3][0:2][0:2])
  for (int o = 0; o < 3; o++) {
    int map[4][4];
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++) {
        int sum = 0;
        for (int i = 0; i < 2; i++)
          for (int kr = 0; kr < 3; kr++)
            for (int kc = 0; kc < 3; kc++) sum += x[i][r + kr][c + kc] * w[o][i][kr][kc];
        map[r][c] = sum >> 8;
      }
    for (int r = 0; r < 2; r++)
      for (int c = 0; c < 2; c++) {
        int most = -128;
        for (int k = 0; k < 4; k++)
          if (map[2 * r + k / 2][2 * c + k % 2] > most) most = map[2 * r + k / 2][2 * c + k % 2];
        y[o][r][c] = most > 127 ? 127 : most;
      }
  }
}
