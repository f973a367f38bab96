// Device functions read global variables: a declared array, a declared scalar, through two levels of calls.
// arc: items>1, gcc-offload-cannot update static variables of declare
#include "check.h"

#define K 8
#define N 307

static float weight[K] = {1, 2, 3, 4, 5, 6, 7, 8};
static int shift = 3;
#pragma acc declare copyin(weight, shift)

#pragma acc routine seq
static float weighted(int i) { return weight[(i + shift) % K]; }

#pragma acc routine seq
static float pair(int i) { return weighted(i) + weighted(i + 1); }

int main(void) {
  static float a[N], b[N];

#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++)
    a[i] = pair(i) * shift;

  shift = 5;
  weight[0] = -1;
#pragma acc update device(shift, weight[0:1])
#pragma acc parallel loop copyout(b)
  for (int i = 0; i < N; i++)
    b[i] = pair(i);

  for (int i = 0; i < N; i++) {
    double before = (i + 3) % K + 1 + (i + 4) % K + 1;
    NEAR_AT(i, a[i], 3 * before, 0);
    NEAR_AT(i, b[i], weighted(i) + weighted(i + 1), 0);
  }
  return report();
}
