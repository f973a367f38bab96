// A reduction of what cannot be assigned.
// expect: 5:54 error[reduction-of-constant]
int f(int n, int *a) {
  const int sum = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(+:sum)
  for (int i = 0; i < n; i++) {
  }
  return sum;
}
