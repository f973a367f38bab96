// The body changes the loop's bound.
// expect: 7:5 error[loop-bound-changed]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    a[i] = 0;
    n = 5;
  }
}
