// A loop that counts away from its bound.
// expect: 5:3 error[step-direction]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i--)
    a[i] = 0;
}
