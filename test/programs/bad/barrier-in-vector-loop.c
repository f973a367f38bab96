// Lanes do not all have the same iterations, so that they cannot wait for each other in one.
// expect: 8:13 error[barrier-in-loop]
// remedy: end the loop
void f(int n, float *a) {
#pragma acc parallel loop vector copy(a[0:n])
  for (int i = 0; i < n; i++) {
    a[i] = 1;
#pragma acc barrier
    a[i] += a[n - 1 - i];
  }
}
