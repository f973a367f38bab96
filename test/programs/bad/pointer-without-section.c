// A copied pointer must say how much it points to, where nothing tells it.
// expect: 5:47 error[section-needed]
// remedy: a[0:n]
void f(int n, const int *k, float *a) {
#pragma acc parallel loop copyin(k[0:n]) copy(a)
  for (int i = 0; i < n; i++)
    a[k[i]] = 0;
}
