// Collapse wants a constant.
// expect: 4:27 error[collapse-argument]
void f(int n, float *a) {
#pragma acc parallel loop collapse(n) copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
