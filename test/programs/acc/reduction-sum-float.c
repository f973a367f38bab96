// A sum reduction over floats.
// arc: items>1
#include "check.h"

#define N 4001

int main(void) {
  static float a[N];
  float sum = 100;
  for (int i = 0; i < N; i++)
    a[i] = (i % 64) * 0.25f;
  double want = 100;
  for (int i = 0; i < N; i++)
    want += a[i];

#pragma acc parallel loop reduction(+:sum) copyin(a[0:N])
  for (int i = 0; i < N; i++)
    sum += a[i];

  NEAR(sum, want, 1e-5);
  return report();
}
