// Papers say serial for seq on a loop.
// arc: gcc-cannot its clause is seq
#include "check.h"

int main(void) {
  int a[9] = {1};
#pragma acc parallel loop serial copy(a)
  for (int i = 1; i < 9; i++)
    a[i] = 2 * a[i - 1];
#pragma acc kernels loop serial copy(a)
  for (int i = 1; i < 9; i++)
    a[i] += a[i - 1];
  EXPECT(a[8], 511);
  return report();
}
