#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { n = 64 };
static double re[n], im[n];
int main(void) {
  for (int i = 0; i < n; i++) re[i] = i % 8;
#pragma acc data copy(re, im)
  for (int half = n / 2; half >= 1; half /= 2) {
#pragma acc parallel loop
    for (int b = 0; b < n / 2; b++) {
      int k = b % half, i = b / half * 2 * half + k, j = i + half;
      double a = -3.14159265358979 * k / half, c = cos(a), s = sin(a);
      double xr = re[i] - re[j], xi = im[i] - im[j];
      re[i] += re[j];
      im[i] += im[j];
      re[j] = xr * c - xi * s;
      im[j] = xr * s + xi * c;
    }
  }
  printf("%.4f %.4f\n", re[0], re[1] + im[8] * 0 + fabs(im[3]) * 0);
  return 0;
}
