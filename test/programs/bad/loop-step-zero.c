// A loop that does not move.
// expect: 5:3 error[zero-step]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i += 0)
    a[i] = 0;
}
