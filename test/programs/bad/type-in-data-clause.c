// A data clause names a type.
// expect: 5:38 error[type-not-value]
typedef float real;
void f(int n, real *a) {
#pragma acc data copy(a[0:n]) create(real)
  {
    a[0] = 1;
  }
}
