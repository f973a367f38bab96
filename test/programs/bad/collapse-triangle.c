// The inner bound of collapsed loops depends on the outer variable.
// expect: 6:5 error[non-rectangular-collapse]
void f(int n, float *a) {
#pragma acc parallel loop collapse(2) copy(a[0:n * n])
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      a[i * n + j] = 0;
}
