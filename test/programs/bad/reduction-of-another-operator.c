// The loop multiplies what its clause says it adds.
// expect: 6:54 warning[reduction-used-otherwise]
// remedy: reduction(*: p)
double f(int n, const double *a) {
  double p = 1;
#pragma acc parallel loop copyin(a[0:n]) reduction(+:p)
  for (int i = 0; i < n; i++)
    p *= a[i];
  return p;
}
