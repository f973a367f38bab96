// Orders of loops (OpenMP 6.0) that arc cannot write out, and two that C compilers may drop without a word.
// expect: 6:13 warning[loop-order-kept]
// expect: 13:1 error[loop-order]
// remedy: write the loops in the order in which they are to run
void f(int n, int *a) {
#pragma omp fuse
  {
    for (int i = 0; i < n; i++)
      a[i]++;
    for (int i = 0; i < n; i++)
      a[i]--;
  }
#pragma omp interchange
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i] += j;
}
