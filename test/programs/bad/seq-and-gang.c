// A loop is both sequential and shared out.
// expect: 4:31 error[seq-with-level]
void f(int n, float *a) {
#pragma acc parallel loop seq gang copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
