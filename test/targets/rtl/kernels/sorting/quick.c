/* Quicksort with a stack of its own. */
void work(int *a) {
#pragma acc serial copy(a[0:40])
  {
    struct { int low, high; } stack[40];
    int top = 0;
    stack[top].low = 0;
    stack[top++].high = 39;
    while (top > 0) {
      top--;
      int low = stack[top].low, high = stack[top].high;
      if (low >= high) continue;
      int pivot = a[(low + high) / 2], i = low, j = high;
      while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
          int t = a[i];
          a[i++] = a[j];
          a[j--] = t;
        }
      }
      stack[top].low = low;
      stack[top++].high = j;
      stack[top].low = i;
      stack[top++].high = high;
    }
  }
}
