// A variable that one loop of a region reduces is read by another loop behind it.
// expect: 8:12 error[reduction-used-besides]
void f(int n, const float *restrict x, float *restrict y, float sum) {
#pragma acc parallel copyin(x[0:n]) copyout(y[0:n])
  {
#pragma acc loop gang reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += x[i];
    y[0] = sum;
#pragma acc loop gang
    for (int i = 1; i < n; i++)
      y[i] = 0;
  }
}
