// A pragma without a directive.
// expect: 4:1 error[unknown-directive]
void f(int n, float *a) {
#pragma acc
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
