/* Heap sort. */
static void sift(int *h, int root, int n) {
  for (;;) {
    int child = 2 * root + 1;
    if (child >= n) return;
    if (child + 1 < n && h[child + 1] > h[child]) child++;
    if (h[root] >= h[child]) return;
    int t = h[root];
    h[root] = h[child];
    h[child] = t;
    root = child;
  }
}
void work(int *a) {
#pragma acc serial copy(a[0:30])
  {
    for (int i = 14; i >= 0; i--) sift(a, i, 30);
    for (int n = 29; n > 0; n--) {
      int t = a[0];
      a[0] = a[n];
      a[n] = t;
      sift(a, 0, n);
    }
  }
}
