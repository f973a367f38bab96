// A kernels construct takes no private clause: its loops do.
// expect: 5:34 error[misplaced-clause]
void f(int n, float *a) {
  float t;
#pragma acc kernels copy(a[0:n]) private(t)
  for (int i = 0; i < n; i++) {
    t = a[i];
    a[i] = t * t;
  }
}
