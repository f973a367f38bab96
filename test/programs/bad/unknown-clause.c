// A clause whose name is misspelled.
// expect: 5:27 error[unknown-clause]
// remedy: copyout
void f(int n, float *a) {
#pragma acc parallel loop copyuot(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
