// A goto that leaves a compute region.
// expect: 7:7 error[branch-out-of-region]
void f(int n, float *a) {
#pragma acc serial copy(a[0:n])
  {
    if (a[0] > 0)
      goto done;
    a[0] = 1;
  }
done:
  a[n - 1] = 2;
}
