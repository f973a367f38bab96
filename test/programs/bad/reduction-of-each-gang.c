// A loop that gangs share reduces a variable that each of them has for itself.
// expect: 9:37 warning[partial-reduction]
// remedy: outside of the construct
void f(int n, const float *restrict x, float *restrict y) {
#pragma acc parallel copyin(x[0:n]) copyout(y[0:n])
  {
    float sum = 0;
    // The loop behind reads a part of the sum.
#pragma acc loop gang reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += x[i];
#pragma acc loop gang
    for (int i = 0; i < n; i++) y[i] = sum;
  }
}
