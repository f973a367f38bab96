// && and || of complex numbers, which are true unless they are 0.
#include "check.h"
#include <complex.h>

#define N 700

int main(void) {
  double complex all = 2, none = 0, some = 0, imaginary = I;
  float complex a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = i == 77 ? 0 : I, b[i] = i == 77 ? 2 * I : 0;
#pragma acc parallel loop reduction(&& : all) reduction(|| : some) copyin(a, b)
  for (int i = 0; i < N; i++) {
    all = all && a[i];
    some = some || b[i];
  }
#pragma acc parallel copyin(a, b)
#pragma acc loop gang vector reduction(|| : none) reduction(&& : imaginary)
  for (int i = 0; i < N; i++) {
    none = none || (i > N && a[i]);
    imaginary = imaginary && (a[i] || b[i]);
  }
  NEAR(creal(all), 0, 0);
  NEAR(creal(some), 1, 0);
  NEAR(creal(none), 0, 0);
  NEAR(creal(imaginary), 1, 0);
  NEAR(cimag(all) + cimag(some) + cimag(none) + cimag(imaginary), 0, 0);
  return report();
}
