// A pointer without a section in delete and no_create stands for the memory that it leads to.
// arc: items>1, directives-needed, gcc-cannot pointers without a section are scalars there
#include "check.h"
#include "separate.h"
#include <openacc.h>
#include <stdlib.h>

int main(void) {
  int n = 289, *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma acc enter data copyin(a[0:n])
#pragma acc data no_create(a)
  {
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
      a[i] *= 2;
#pragma acc update self(a[0:n])
  }
#pragma acc exit data delete(a)
  for (int i = 0; i < n; i++)
    EXPECT_AT(i, a[i], 2 * i);
#pragma acc data no_create(a)
  a[0] = 1;
  EXPECT(a[0], 1);
#pragma acc enter data create(a[0:n])
  EXPECT(acc_is_present(a, n * sizeof *a), 1);
#pragma acc exit data delete(a)
  if (device_memory_is_separate())
    EXPECT(acc_is_present(a, n * sizeof *a), 0);
  free(a);
  return report();
}
