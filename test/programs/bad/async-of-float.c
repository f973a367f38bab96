// A queue number is an integer.
// expect: 4:46 error[clause-type]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n]) async(1.5)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
