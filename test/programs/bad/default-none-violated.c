// Under default(none) an array is used that no clause names.
// expect: 7:12 error[default-none]
// remedy: data clause
void f(int n, float *a, float *b) {
#pragma acc parallel loop default(none) copy(a[0:n]) firstprivate(n)
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}
