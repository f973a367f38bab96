// An update inside a compute region: only the host moves data.
// expect: 7:13 error[host-directive-in-region]
void f(int n, float *a) {
#pragma acc parallel copy(a[0:n])
  {
    a[0] = 1;
#pragma acc update self(a[0:n])
    a[1] = 2;
  }
}
