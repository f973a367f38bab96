/* Prefix sums in place, by the tree of Blelloch. */
void work(int *a) {
#pragma acc serial copy(a[0:32])
  {
    for (int d = 1; d < 32; d <<= 1)
      for (int i = 2 * d - 1; i < 32; i += 2 * d) a[i] += a[i - d];
    a[31] = 0;
    for (int d = 16; d > 0; d >>= 1)
      for (int i = 2 * d - 1; i < 32; i += 2 * d) {
        int t = a[i - d];
        a[i - d] = a[i];
        a[i] += t;
      }
  }
}
