// A region uses an array of which only another file knows the size.
// expect: 8:12 error[unknown-size]
// remedy: copyin(table[0:n])
extern const int table[];
void f(int n, int *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = table[i];
}
