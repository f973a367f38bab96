// A construct with nothing to apply to.
// expect: 5:13 error[missing-statement]
void f(int n, float *a) {
  a[0] = n;
#pragma acc parallel copy(a[0:n])
}
