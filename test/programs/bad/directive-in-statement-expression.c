// A directive among the statements of an expression, which GNU C has.
// expect: 5:1 warning[directive-in-expression]
int f(int n, float *a) {
  int last = ({
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
      a[i] = 0;
    n - 1; });
  return last;
}
