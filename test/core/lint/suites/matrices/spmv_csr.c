#include <stdio.h>
#include <stdlib.h>
#include <math.h>

int main(void) {
  int n = 100, nnz = 0;
  int *start = malloc((n + 1) * sizeof *start), *col = malloc(3 * n * sizeof *col);
  double *val = malloc(3 * n * sizeof *val), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++) {
    start[i] = nnz;
    for (int k = -1; k <= 1; k++)
      if (i + k >= 0 && i + k < n) {
        col[nnz] = i + k;
        val[nnz++] = k == 0 ? 2 : -1;
      }
    x[i] = i % 4;
  }
  start[n] = nnz;
#pragma acc parallel loop copyin(start[0:n + 1], col[0:nnz], val[0:nnz], x[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++) {
    double s = 0;
#pragma acc loop reduction(+ : s)
    for (int k = start[i]; k < start[i + 1]; k++) s += val[k] * x[col[k]];
    y[i] = s;
  }
  double e = 0;
  for (int i = 0; i < n; i++) e += y[i] * i;
  printf("%.3f\n", e);
  free(start), free(col), free(val), free(x), free(y);
  return 0;
}
