// Continue ends one iteration of a parallel loop, at any depth of ifs.
// arc: items>1
#include "check.h"

#define N 205

int main(void) {
  int a[N] = {0}, kept = 0;

#pragma acc parallel loop copy(a) reduction(+:kept)
  for (int i = 0; i < N; i++) {
    if (i % 3 == 0)
      continue;
    if (i > 100) {
      a[i] = -1;
      if (i % 2)
        continue;
    }
    a[i] = i;
    kept++;
  }

  int want = 0;
  for (int i = 0; i < N; i++) {
    int skipped = i % 3 == 0 || (i > 100 && i % 2);
    want += !skipped;
    EXPECT_AT(i, a[i], i % 3 == 0 ? 0 : skipped ? -1 : i);
  }
  EXPECT(kept, want);
  return report();
}
