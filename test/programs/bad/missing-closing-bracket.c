// The bracket of a section is not closed.
// expect: 4:37 error[expected-bracket]
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
