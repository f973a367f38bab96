#include <stdio.h>
#include <stdlib.h>
#include <math.h>

static void step(int n, double *restrict to, const double *restrict from) {
#pragma acc parallel loop present(to[0:n], from[0:n])
  for (int i = 1; i < n - 1; i++) to[i] = from[i] + 0.1 * (from[i - 1] - 2 * from[i] + from[i + 1]);
}
int main(void) {
  int n = 500;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++) a[i] = b[i] = i % 50 == 0;
#pragma acc enter data copyin(a[0:n], b[0:n])
  for (int t = 0; t < 50; t += 2) {
    step(n, b, a);
    step(n, a, b);
  }
#pragma acc exit data copyout(a[0:n]) delete(b[0:n])
  printf("%.6f %.6f\n", a[101], a[250]);
  free(a);
  free(b);
  return 0;
}
