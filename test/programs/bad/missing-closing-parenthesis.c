// The parenthesis of a clause is not closed.
// expect: 4:39 error[expected-parenthesis]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n] num_gangs(4)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
