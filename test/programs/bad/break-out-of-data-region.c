// A break that leaves a data region by ending the loop around it.
// expect: 8:9 error[branch-out-of-region]
void f(int n, float *a) {
  for (int k = 0; k < 10; k++) {
#pragma acc data copy(a[0:n])
    {
      if (a[k] > 0)
        break;
      a[k] = 1;
    }
  }
}
