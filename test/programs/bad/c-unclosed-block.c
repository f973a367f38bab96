// The last brace of a file is missing.
// expect: 9:1 error[syntax]
// remedy: opened at line 4
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    a[i] = 0;
  }

