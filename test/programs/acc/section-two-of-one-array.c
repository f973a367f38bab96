// Two disjoint sections of one array in the same data region, each used by its own pointer.
// arc: items>1
#include "check.h"
#include <stdlib.h>

int main(void) {
  int n = 900, *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
  int *low = a + 10, *high = a + 610;

#pragma acc data copy(low[0:200], high[0:200])
  {
#pragma acc parallel loop present(low[0:200], high[0:200])
    for (int i = 0; i < 200; i++) {
      int t = low[i];
      low[i] = high[199 - i];
      high[199 - i] = t;
    }
  }

  for (int i = 0; i < n; i++) {
    int swapped = (i >= 10 && i < 210) || (i >= 610 && i < 810);
    EXPECT_AT(i, a[i], swapped ? 819 - i : i);
  }
  free(a);
  return report();
}
