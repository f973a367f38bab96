// A reduction on a loop of a kernels construct.
// arc: items>1
#include "check.h"

#define N 2221

int main(void) {
  static double a[N];
  double sum = 10;
  for (int i = 0; i < N; i++)
    a[i] = i % 8 * 0.5;

#pragma acc kernels copyin(a)
  {
#pragma acc loop independent reduction(+:sum)
    for (int i = 0; i < N; i++)
      sum += a[i];
  }

  double want = 10;
  for (int i = 0; i < N; i++)
    want += a[i];
  NEAR(sum, want, 1e-12);
  return report();
}
