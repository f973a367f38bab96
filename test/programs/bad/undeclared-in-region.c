// The body of a region uses a name that does not exist.
// expect: 6:12 error[undeclared-identifier]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = offset + i;
}
