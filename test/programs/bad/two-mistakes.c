// Two mistakes in one file: both are reported.
// expect: 5:40 error[unknown-clause]
// expect: 8:36 error[undeclared-identifier]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n]) vector_lenght(32)
  for (int i = 0; i < n; i++)
    a[i] = 0;
#pragma acc parallel loop copy(a[0:m])
  for (int i = 0; i < n; i++)
    a[i] = 1;
}
