/* Bubble sort in memory, which ends when nothing was exchanged. */
void work(int *a) {
#pragma acc serial copy(a[0:20])
  {
    int swapped;
    int n = 20;
    do {
      swapped = 0;
      for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i]) {
          int t = a[i];
          a[i] = a[i - 1], a[i - 1] = t;
          swapped = 1;
        }
      n--;
    } while (swapped);
  }
}
