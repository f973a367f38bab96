/* Merge sort from the bottom, between two local arrays whose pointers change places. */
void work(int *a) {
#pragma acc serial copy(a[0:64])
  {
    int x[64], y[64], *from = x, *to = y;
    for (int i = 0; i < 64; i++) x[i] = a[i];
    for (int width = 1; width < 64; width *= 2) {
      for (int low = 0; low < 64; low += 2 * width) {
        int i = low, j = low + width, mid = j, end = low + 2 * width;
        for (int k = low; k < end; k++)
          to[k] = i < mid && (j >= end || from[i] <= from[j]) ? from[i++] : from[j++];
      }
      int *t = from;
      from = to;
      to = t;
    }
    for (int i = 0; i < 64; i++) a[i] = from[i];
  }
}
