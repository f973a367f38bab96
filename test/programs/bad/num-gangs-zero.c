// There is at least one gang.
// expect: 4:50 error[clause-value]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n]) num_gangs(0)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
