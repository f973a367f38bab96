// A loop variable must be an integer or a pointer.
// expect: 5:3 error[not-a-counted-loop]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (float x = 0; x < n; x += 1)
    a[(int)x] = 0;
}
