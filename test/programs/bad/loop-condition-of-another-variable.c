// The condition does not test the loop variable.
// expect: 6:3 error[not-a-counted-loop]
void f(int n, float *a) {
  int k = 0;
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; k < n; i++)
    a[i] = 0;
}
