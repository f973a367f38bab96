#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 24 };
static float a[n][n], b[n], m[n][n], x[n];
int main(void) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) a[i][j] = i == j ? 30 : (i * j) % 4;
    b[i] = i;
  }
#pragma acc data copy(a, b) create(m)
  for (int t = 0; t < n - 1; t++) {
#pragma acc parallel loop
    for (int i = 0; i < n - 1 - t; i++) m[i + t + 1][t] = a[i + t + 1][t] / a[t][t];
#pragma acc parallel loop
    for (int i = 0; i < n - 1 - t; i++) {
#pragma acc loop
      for (int j = 0; j < n - t; j++) a[i + 1 + t][j + t] -= m[i + 1 + t][t] * a[t][j + t];
      b[i + 1 + t] -= m[i + 1 + t][t] * b[t];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] = b[i];
    for (int j = i + 1; j < n; j++) x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
  printf("%.4f %.4f\n", x[0], x[n - 1]);
  return 0;
}
