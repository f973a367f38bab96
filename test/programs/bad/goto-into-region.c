// A goto that enters a data region.
// expect: 5:5 error[branch-into-region]
void f(int n, float *a) {
  if (n > 10)
    goto inside;
#pragma acc data copy(a[0:n])
  {
    a[0] = 1;
  inside:
    a[1] = 2;
  }
}
