// A pointer leads the body to the loop's bound.
// expect: 7:14 error[loop-bound-changed]
// remedy: take the address of a copy of 'n'
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    int *p = &n;
    a[i] = 0;
    *p = 5;
  }
}
