// A return inside a data region.
// expect: 7:7 error[branch-out-of-region]
int f(int n, float *a) {
#pragma acc data copy(a[0:n])
  {
    if (n == 0)
      return 1;
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] = 0;
  }
  return 0;
}
