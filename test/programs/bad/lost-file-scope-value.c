// A file-scope variable that a parallel region changes: the region has a copy, and another function reads the old value.
// expect: 8:19 warning[lost-value]
// remedy: copy(last)
int last;
void f(int n, int *a) {
#pragma acc parallel loop copyin(a[0:n])
  for (int i = 0; i < n; i++)
    if (a[i] > 0) last = i;
}
int g(void) { return last; }
