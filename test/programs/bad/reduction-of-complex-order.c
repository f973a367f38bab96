// Complex numbers have no order.
// expect: 6:43 error[reduction-type]
// remedy: a real number
#include <complex.h>
void f(int n, double complex *a, double complex most) {
#pragma acc parallel loop reduction(max : most) copyin(a[0:n])
  for (int i = 0; i < n; i++)
    most = cabs(a[i]) > cabs(most) ? a[i] : most;
}
