// One parenthesis too many.
// expect: 4:39 error[unknown-clause]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])) num_gangs(4)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
