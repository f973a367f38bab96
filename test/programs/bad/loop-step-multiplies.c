// A loop whose variable is not changed by a constant amount.
// expect: 5:3 error[not-a-counted-loop]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 1; i < n; i *= 2)
    a[i] = 0;
}
