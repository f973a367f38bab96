// A gang loop inside a worker loop.
// expect: 7:13 error[level-nesting]
void f(int n, float *a) {
#pragma acc parallel loop worker copy(a[0:n * n])
  for (int i = 0; i < n; i++) {
    a[i * n] = 1;
#pragma acc loop gang
    for (int j = 0; j < n; j++)
      a[i * n + j] = 0;
  }
}
