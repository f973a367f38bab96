// OpenMP directives that no version has: C compilers may drop them without a word, and the loops would run on one thread.
// expect: 9:13 warning[misspelled-directive]
// expect: 12:13 warning[misspelled-directive]
// remedy: #pragma omp target
void f(int n, int *a) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp traget teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp paralel for
  for (int i = 0; i < n; i++)
    a[i]++;
}
