// A recurrence under `parallel loop`: arc believes the directive, and says that it cannot be true.
// expect: 7:20 warning[iterations-meet]
void f(int n, double *restrict a, double (*restrict b)[8]) {
#pragma acc parallel loop copy(a[0:n], b[0:n])
  for (int i = 1; i < n; i++) {
    double half = 0.5;
    a[i] = half * (a[i - 1] + a[i]);
    if (i > 1) b[i][0] = b[i - 1][1]; // perhaps never both
  }
}
