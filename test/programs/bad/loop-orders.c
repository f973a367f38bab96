// Orders of loops (OpenMP 6.0) that arc cannot write out.
// expect: 6:1 error[loop-order]
// expect: 12:1 error[loop-order]
// remedy: write the loops in the order in which they are to run
void f(int n, int *a) {
#pragma omp fuse
  {
    for (int i = 0; i < n; i++)
      a[i]++;
    a[0] = 1;
  }
#pragma omp interchange
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i] += j;
}
