// A loop variable may be a pointer.
// arc: items>1
#include "check.h"

#define N 307

int main(void) {
  static float a[N];
  float *first = a;

#pragma acc parallel loop copyout(first[0:N])
  for (float *p = first; p < first + N; p++)
    *p = 0.5f * (p - first);

  for (int i = 0; i < N; i++)
    NEAR_AT(i, a[i], 0.5 * i, 0);
  return report();
}
