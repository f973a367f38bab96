#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 20 };
static double a[n][n];
int main(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = i == j ? n : (i + 2 * j) % 5;
#pragma acc data copy(a)
  for (int k = 0; k < n - 1; k++) {
#pragma acc parallel loop
    for (int i = k + 1; i < n; i++) a[i][k] /= a[k][k];
#pragma acc parallel loop collapse(2)
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];
  }
  double d = 1;
  for (int i = 0; i < n; i++) d *= a[i][i] / n;
  printf("%.6f\n", d);
  return 0;
}
