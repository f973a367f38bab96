// The cache directive is a hint and changes no result.
// arc: items>1
#include "check.h"

#define N 515

int main(void) {
  static float a[N], b[N], weight[3] = {0.25f, 0.5f, 0.25f};
  for (int i = 0; i < N; i++)
    a[i] = i * i;

#pragma acc parallel loop copyin(a, weight) copy(b)
  for (int i = 1; i < N - 1; i++) {
#pragma acc cache(a[i - 1:3], weight[0:3])
    b[i] = weight[0] * a[i - 1] + weight[1] * a[i] + weight[2] * a[i + 1];
  }

  for (int i = 1; i < N - 1; i++)
    NEAR_AT(i, b[i], i * (double)i + 0.5, 1e-6);
  return report();
}
