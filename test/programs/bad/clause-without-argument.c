// A clause that needs an argument has none.
// expect: 5:40 error[missing-argument]
// remedy: collapse(
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n]) collapse
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
