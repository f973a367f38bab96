// A loop without a level changes an array of each gang, and adds to memory that they share.
// expect: 7:13 warning[partial-values]
// remedy: loop vector
void f(int n, const float *restrict x, float *restrict y, float *restrict z) {
#pragma acc parallel copyin(x[0:n]) copy(y[0:n]) copyout(z[0:n])
  { float h[100];
#pragma acc loop
    for (int i = 0; i < 100; i++) {
      h[i] = x[i];
      y[i] += x[i];
    }
#pragma acc loop gang
    for (int i = 0; i < n; i++) z[i] = h[i % 100];
  }
}
