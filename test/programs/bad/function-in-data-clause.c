// A data clause names a function.
// expect: 5:38 error[not-a-variable]
float g(float);
void f(int n, float *a) {
#pragma acc data copy(a[0:n]) copyin(g)
  {
    a[0] = g(1);
  }
}
