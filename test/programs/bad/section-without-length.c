// How much a pointer points to must be said.
// expect: 5:32 error[section-length]
// remedy: a[1:n]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[1:])
  for (int i = 1; i < n; i++)
    a[i] = 0;
}
