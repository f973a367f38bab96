// Deviceptr wants a pointer.
// expect: 4:50 error[pointer-needed]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n]) deviceptr(n)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
