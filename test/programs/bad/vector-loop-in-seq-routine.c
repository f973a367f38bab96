// A sequential routine holds a vector loop.
// expect: 5:13 error[routine-level]
#pragma acc routine seq
void fill(int n, float *a) {
#pragma acc loop vector
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
