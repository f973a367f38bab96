// Subtraction is no reduction operator.
// expect: 6:52 error[unknown-reduction-operator]
// remedy: +
float f(int n, const float *a) {
  float s = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(-:s)
  for (int i = 0; i < n; i++)
    s -= a[i];
  return s;
}
