// GNU C's nested functions stay with the host's compiler, which does not see what a region does.
// expect: 4:18 error[nested-function]
int f(int n, float *a) {
  int twice = 0; float half(int i) { twice++; return a[i] / 2; }
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
  return half(1) + twice;
}
