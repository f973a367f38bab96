// A device function calls itself through another.
// expect: 8:38 error[recursive-routine]
// remedy: loop
int odd(int);
#pragma acc routine seq
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
#pragma acc routine seq
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
void f(int n, int *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = even(i);
}
