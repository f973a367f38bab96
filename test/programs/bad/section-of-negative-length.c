// A section cannot have a negative length.
// expect: 4:32 error[section-out-of-bounds]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[n:-1])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
