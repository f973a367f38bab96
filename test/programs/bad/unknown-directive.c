// A directive whose name is misspelled.
// expect: 5:13 error[unknown-directive]
// remedy: parallel loop
void f(int n, float *a) {
#pragma acc paralel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
