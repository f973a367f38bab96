// A variable is named twice by a data clause of one construct.
// expect: 4:49 error[duplicate-variable]
void f(int n, float *a) {
#pragma acc parallel loop copyin(a[0:n]) copyin(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
