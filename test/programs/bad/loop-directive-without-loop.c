// A loop directive before something else.
// expect: 6:13 error[expected-loop]
void f(int n, float *a) {
#pragma acc parallel copy(a[0:n])
  {
#pragma acc loop gang
    a[0] = n;
  }
}
