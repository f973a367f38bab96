// A variable is both private and firstprivate.
// expect: 5:64 error[conflicting-sharing]
void f(int n, float *a) {
  float t = 1;
#pragma acc parallel loop copy(a[0:n]) private(t) firstprivate(t)
  for (int i = 0; i < n; i++)
    a[i] = t;
}
