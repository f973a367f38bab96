// A logical-or reduction over a _Bool.
// arc: items>1
#include "check.h"
#include <stdbool.h>

#define N 877

int main(void) {
  bool found = false, all = true;

#pragma acc parallel loop reduction(||:found) reduction(&&:all)
  for (int i = 0; i < N; i++) {
    found = found || i == 555;
    all = all && i >= 0;
  }

  EXPECT(found, 1);
  EXPECT(all, 1);
  return report();
}
