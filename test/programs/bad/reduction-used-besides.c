// A variable that one loop of a region reduces is read by another loop of the same region.
// expect: 8:14 error[reduction-used-besides]
void f(int n, const float *restrict x, float *restrict y, float sum) {
#pragma acc parallel copyin(x[0:n]) copyout(y[0:n])
  {
#pragma acc loop gang
    for (int i = 0; i < n; i++)
      y[i] = sum;
#pragma acc loop gang reduction(+ : sum)
    for (int i = 0; i < n; i++)
      sum += x[i];
  }
}
