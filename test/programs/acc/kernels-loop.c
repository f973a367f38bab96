// The combined kernels loop construct.
// arc: items>1
#include "check.h"

#define N 1021

int main(void) {
  static float a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = i + 0.5f;

#pragma acc kernels loop copyin(a[0:N]) copyout(b[0:N]) independent
  for (int i = 0; i < N; ++i)
    b[i] = a[i] * a[i];

  for (int i = 0; i < N; i++)
    NEAR_AT(i, b[i], (i + 0.5) * (i + 0.5), 1e-6);
  return report();
}
