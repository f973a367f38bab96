// A data clause without variables.
// expect: 4:31 error[empty-argument]
void f(int n, float *a) {
#pragma acc parallel loop copy()
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
