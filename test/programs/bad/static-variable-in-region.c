// A static pointer of a function that device code calls would not keep what a region sets it to.
// expect: 6:14 error[static-local]
// remedy: count with an integer instead
#pragma acc routine seq
static int next(int *a) {
  static int *last;
  if (!last) last = a;
  return ++*last;
}

void fill(int *a, int n) {
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = next(a);
}
