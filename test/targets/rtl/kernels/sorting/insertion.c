/* Insertion sort: a loop that ends at data. */
void work(short *a) {
#pragma acc serial copy(a[0:24])
  for (int i = 1; i < 24; i++) {
    short key = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
}
