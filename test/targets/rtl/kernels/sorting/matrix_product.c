/* A product of matrices in tiles of local memory. */
void work(const int (*restrict a)[8], const int (*restrict b)[8], int (*restrict c)[8]) {
#pragma acc serial copyin(a[0:8][0:8], b[0:8][0:8]) copyout(c[0:8][0:8])
  for (int i0 = 0; i0 < 8; i0 += 4)
    for (int j0 = 0; j0 < 8; j0 += 4) {
      int tile[4][4];
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
          tile[i][j] = 0;
          for (int k = 0; k < 8; k++) tile[i][j] += a[i0 + i][k] * b[k][j0 + j];
        }
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) c[i0 + i][j0 + j] = tile[i][j];
    }
}
