/* Binary search with early returns. */
static int found(const int *a, int n, int key) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int mid = low + (high - low) / 2;
    if (a[mid] == key) return mid;
    if (a[mid] < key) low = mid + 1;
    else high = mid - 1;
  }
  return -1 - low;
}
void work(const int *keys, int *at) {
#pragma acc serial copyin(keys[0:20]) copyout(at[0:20])
  {
    int a[70];
    for (int i = 0; i < 70; i++) a[i] = i * i - 300;
    for (int k = 0; k < 20; k++) at[k] = found(a, 70, k % 3 ? k * k * 4 - 300 : keys[k] % 5000);
  }
}
