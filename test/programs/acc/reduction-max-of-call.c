// A maximum and a minimum by `? :` and `if`, of calls that only compute a value.
// arc: items>1
#include <math.h>
#include <stdio.h>

static double square(double x) { return x * x; }
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int main(void) {
  enum { n = 1001 };
  double a[n], most = 0, least = 1e9, large = 0;
  for (int i = 0; i < n; i++) a[i] = i * 37 % n - 500;
#pragma acc parallel loop copyin(a) reduction(max : most, large) reduction(min : least)
  for (int i = 0; i < n; i++) {
    most = MAX(most, fabs(a[i] + 3));
    least = square(a[i] - 0.5) < least ? square(a[i] - 0.5) : least;
    if (sqrt(fabs(a[i])) > large) large = sqrt(fabs(a[i]));
  }
  if (most != 503 || least != 0.25 || large != sqrt(500)) printf("%g %g %g\n", most, least, large);
  return most != 503 || least != 0.25 || large != sqrt(500);
}
