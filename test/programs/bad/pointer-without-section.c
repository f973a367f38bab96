// A copied pointer must say how much it points to.
// expect: 5:32 error[section-needed]
// remedy: a[0:n]
void f(int n, float *a) {
#pragma acc parallel loop copy(a)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
