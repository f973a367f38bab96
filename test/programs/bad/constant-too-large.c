// Constants that are larger than every type, and than the signed ones, in a region: its code is not what the C compiler warns of.
// expect: 8:12 warning[large-constant]
// expect: 9:16 warning[large-constant]
// remedy: 2^64
void f(int n, unsigned long *a, long k) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    a[i] = 18446744073709551617;
    a[i] = k - 9223372036854775808;
  }
}
