// All lanes add to the same element: the loop needs a reduction over it.
// expect: 8:33 warning[iterations-meet]
void f(int n, int m, double *restrict sums, const double *restrict a) {
#pragma acc parallel loop gang copyout(sums[0:n]) copyin(a[0:n*m])
  for (int i = 0; i < n; i++) {
    sums[i] = 0;
#pragma acc loop vector
    for (int j = 0; j < m; j++) sums[i] += a[i * m + j];
  }
}
