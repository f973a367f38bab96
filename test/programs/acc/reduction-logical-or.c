// A logical-or reduction over ints and floats.
// arc: items>1
#include "check.h"

#define N 1511

static int any(const double *a, int found) {
#pragma acc parallel loop reduction(||:found) copyin(a[0:N])
  for (int i = 0; i < N; i++)
    found = found || a[i] > 0.5;
  return found;
}

int main(void) {
  static double a[N];
  EXPECT(any(a, 0), 0);
  EXPECT(any(a, 6) != 0, 1);
  a[N - 1] = 0.75;
  EXPECT(any(a, 0), 1);
  return report();
}
