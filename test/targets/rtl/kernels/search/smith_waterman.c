/* Smith-Waterman with two rows. */
static int larger(int a, int b) { return a > b ? a : b; }
void work(const unsigned char *a, const unsigned char *b, int *best) {
#pragma acc serial copyin(a[0:20], b[0:24]) copyout(best[0:3])
  {
    int row[25] = {0}, top = 0, ti = 0, tj = 0;
    for (int i = 1; i <= 20; i++) {
      int diagonal = 0;
      for (int j = 1; j <= 24; j++) {
        int up = row[j];
        int h = larger(0, diagonal + ((a[i - 1] & 3) == (b[j - 1] & 3) ? 3 : -2));
        h = larger(h, larger(up - 2, row[j - 1] - 2));
        diagonal = up;
        row[j] = h;
        if (h > top) { top = h; ti = i; tj = j; }
      }
    }
    best[0] = top;
    best[1] = ti;
    best[2] = tj;
  }
}
