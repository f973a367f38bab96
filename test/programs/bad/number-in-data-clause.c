// A data clause holds a number instead of a variable.
// expect: 4:31 error[expected-variable]
void f(int n, float *a) {
#pragma acc data copy(a[0:n], 10)
  {
    a[0] = 1;
  }
}
