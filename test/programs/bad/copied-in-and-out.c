// A variable in two data clauses of one directive is taken as both say together.
// expect: 5:50 warning[merged-clauses]
// remedy: copy(a[0:n])
void f(int n, int *a) {
#pragma acc parallel loop copyin(a[0:n]) copyout(a[0:n])
  for (int i = 0; i < n; i++) a[i] += 1;
}
