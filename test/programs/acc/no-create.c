// No_create uses data that is on the device and does not put it there otherwise.
// arc: items>1
#include "check.h"
#include "separate.h"

#define N 103

/* Adds the weights where the device has them. */
static void sum(int *a, const int *weight, int weighted) {
#pragma acc parallel loop copy(a[0:N]) no_create(weight[0:N])
  for (int i = 0; i < N; i++) {
    if (weighted)
      a[i] += weight[i];
    else
      a[i] += 1;
  }
}

int main(void) {
  int a[N] = {0}, weight[N], separate = device_memory_is_separate();
  for (int i = 0; i < N; i++)
    weight[i] = i;

  sum(a, weight, 0);
  if (separate)
    EXPECT(acc_is_present(weight, sizeof weight), 0);
#pragma acc enter data copyin(weight)
  sum(a, weight, 1);
#pragma acc exit data delete(weight)

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i + 1);
  return report();
}
