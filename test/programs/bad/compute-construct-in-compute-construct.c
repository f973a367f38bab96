// A compute construct inside a compute construct.
// expect: 9:13 error[nested-region]
// remedy: loop
void f(int n, float *a) {
#pragma acc parallel copy(a[0:n * n])
  {
#pragma acc loop gang
    for (int i = 0; i < n; i++) {
#pragma acc parallel loop
      for (int j = 0; j < n; j++)
        a[i * n + j] = 0;
    }
  }
}
