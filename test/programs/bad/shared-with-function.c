// A file-scope variable that a region changes and that a function reads which it calls: they share it, unlike the standard's copy.
// expect: 8:31 warning[shared-with-function]
// remedy: copy(base)
static int base;
static int from(int k) { return base + k; }
void f(int n, int *a) {
#pragma acc serial copyout(a[0:n])
  for (int i = 0; i < n; i++, base++) a[i] = from(i);
}
