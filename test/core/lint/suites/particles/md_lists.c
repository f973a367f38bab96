#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 60, most = 8 };
static double x[n], f[n];
static int count[n], list[n][most];
int main(void) {
  for (int i = 0; i < n; i++) x[i] = i * 0.5 + (i % 3) * 0.1;
#pragma acc parallel loop copyin(x) copyout(count, list)
  for (int i = 0; i < n; i++) {
    int c = 0;
    for (int j = 0; j < n; j++)
      if (j != i && fabs(x[i] - x[j]) < 1.5 && c < most) list[i][c++] = j;
    count[i] = c;
  }
#pragma acc parallel loop copyin(x, count, list) copyout(f)
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < count[i]; k++) {
      double d = x[i] - x[list[i][k]];
      s += d / (d * d + 0.1);
    }
    f[i] = s;
  }
  double e = 0;
  for (int i = 0; i < n; i++) e += f[i] * f[i];
  printf("%.4f\n", e);
  return 0;
}
