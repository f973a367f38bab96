// A vector loop inside a vector loop.
// expect: 8:13 error[level-nesting]
// remedy: seq
void f(int n, float *a) {
#pragma acc parallel loop gang vector copy(a[0:n * n])
  for (int i = 0; i < n; i++) {
    a[i * n] = 1;
#pragma acc loop vector
    for (int j = 0; j < n; j++)
      a[i * n + j] = 0;
  }
}
