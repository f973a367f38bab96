#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 64, width = 4 };
static double val[width * n], x[n], y[n];
static int col[width * n];
int main(void) {
  for (int k = 0; k < width; k++)
    for (int i = 0; i < n; i++) {
      col[k * n + i] = (i * (k + 1) + k) % n;
      val[k * n + i] = 1.0 / (1 + k);
    }
  for (int i = 0; i < n; i++) x[i] = i % 6;
#pragma acc parallel loop copyin(val, col, x) copyout(y)
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < width; k++) s += val[k * n + i] * x[col[k * n + i]];
    y[i] = s;
  }
  printf("%.4f %.4f\n", y[1], y[63]);
  return 0;
}
