// A pointer into the middle of data on the device is present, and works in a region.
// arc: items>1
#include "check.h"
#include <stdlib.h>

static void add(int *p, int n, int x) {
#pragma acc parallel loop present(p[0:n])
  for (int i = 0; i < n; i++)
    p[i] += x;
}

int main(void) {
  int n = 700, *a = calloc(n, sizeof *a);
#pragma acc enter data copyin(a[0:n])
  add(a, n, 1);
  add(a + 100, 300, 10);
  add(a + 250, 450, 100);
#pragma acc exit data copyout(a[0:n])

  for (int i = 0; i < n; i++)
    EXPECT_AT(i, a[i], 1 + (i >= 100 && i < 400 ? 10 : 0) + (i >= 250 ? 100 : 0));
  free(a);
  return report();
}
