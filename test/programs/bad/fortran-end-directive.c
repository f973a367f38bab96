// The end directives of Fortran do not exist in C.
// expect: 7:13 error[unknown-directive]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
#pragma acc end parallel loop
}
