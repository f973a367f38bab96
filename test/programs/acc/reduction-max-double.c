// A maximum reduction over doubles with fmax.
// arc: items>1
#include "check.h"

#define N 1999

int main(void) {
  static double a[N];
  for (int i = 0; i < N; i++)
    a[i] = -1e300 + 1e296 * ((i * 31) % N);
  double most = -INFINITY;

#pragma acc parallel loop reduction(max:most) copyin(a)
  for (int i = 0; i < N; i++)
    most = fmax(most, a[i]);

  EXPECT(most == a[(N - 1) * 129 % N] || most == -1e300 + 1e296 * (N - 1), 1);
  return report();
}
