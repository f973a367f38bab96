// A loop is both sequential and independent.
// expect: 4:38 error[conflicting-clauses]
void f(int n, float *a) {
#pragma acc kernels loop independent seq copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
