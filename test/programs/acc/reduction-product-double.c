// A product reduction over doubles.
// arc: items>1
#include "check.h"

#define N 2999

int main(void) {
  static double a[N];
  double product = 3;
  for (int i = 0; i < N; i++)
    a[i] = 1 + (i % 2 ? 1.0 / (i + 3) : -1.0 / (i + 4));
  double want = 3;
  for (int i = 0; i < N; i++)
    want *= a[i];

#pragma acc parallel loop reduction(*:product) copyin(a)
  for (int i = 0; i < N; i++)
    product *= a[i];

  NEAR(product, want, 1e-11);
  return report();
}
