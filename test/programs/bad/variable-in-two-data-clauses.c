// A variable is named by two data clauses of one construct.
// expect: 4:50 error[duplicate-variable]
void f(int n, float *a) {
#pragma acc parallel loop copyin(a[0:n]) copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
