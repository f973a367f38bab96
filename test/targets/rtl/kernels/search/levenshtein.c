/* The distance of Levenshtein between two texts. */
void work(const unsigned char *a, const unsigned char *b, int *distance) {
#pragma acc serial copyin(a[0:18], b[0:15]) copyout(distance[0:1])
  {
    unsigned char d[19][16];
    for (int i = 0; i <= 18; i++) d[i][0] = i;
    for (int j = 0; j <= 15; j++) d[0][j] = j;
    for (int i = 1; i <= 18; i++)
      for (int j = 1; j <= 15; j++) {
        int cost = (a[i - 1] & 7) != (b[j - 1] & 7);
        int least = d[i - 1][j] + 1;
        if (d[i][j - 1] + 1 < least) least = d[i][j - 1] + 1;
        if (d[i - 1][j - 1] + cost < least) least = d[i - 1][j - 1] + cost;
        d[i][j] = least;
      }
    *distance = d[18][15];
  }
}
