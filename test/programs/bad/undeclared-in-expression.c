// The expression of a clause uses a name that does not exist.
// expect: 4:50 error[undeclared-identifier]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n]) num_gangs(gangs * 2)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
