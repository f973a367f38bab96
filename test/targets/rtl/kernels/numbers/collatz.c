/* The longest of Collatz' sequences, in 64 bits. */
void work(int *best) {
#pragma acc serial copy(best[0:2])
  {
    int longest = 0, start = 0;
    for (int n = 1; n < 12; n++) {
      long long v = n;
      int length = 1;
      while (v != 1) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        length++;
      }
      if (length > longest) longest = length, start = n;
    }
    best[0] = longest;
    best[1] = start;
  }
}
