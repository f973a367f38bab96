// What C forbids is refused in the user's words, before a compiler of kernels complains of a text that nobody wrote.
// expect: 10:16 error[operand-type]
// expect: 11:5 error[not-assignable]
// expect: 12:12 error[argument-count]
// remedy: integer
static int twice(int x, int y) { return x * y; }
void f(int n, int *a, const int k) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    a[i] = i % 2.0;
    k = i;
    a[i] = twice(i);
  }
}
