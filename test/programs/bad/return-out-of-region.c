// A return inside a compute region.
// expect: 8:7 error[branch-out-of-region]
int f(int n, float *a) {
#pragma acc parallel copy(a[0:n])
  {
    a[0] = 1;
    if (n > 5)
      return 1;
    a[1] = 2;
  }
  return 0;
}
