// A string is not closed.
// expect: 4:30 warning[preprocessor]
// expect: 4:30 error[unterminated-literal]
const char *g(void) { return "no end; }
void f(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
