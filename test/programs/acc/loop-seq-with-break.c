// A loop marked seq may be left early by break, which other loops may not.
// arc: items>1, gcc-cannot takes break in a seq loop for an error
#include "check.h"

#define N 223

int main(void) {
  static int factor[N];

#pragma acc parallel loop copyout(factor)
  for (int i = 0; i < N; i++) {
    int found = i;
#pragma acc loop seq
    for (int d = 2; d < i; d++) {
      if (i % d)
        continue;
      found = d;
      break;
    }
    factor[i] = found;
  }

  for (int i = 2; i < N; i++) {
    EXPECT_AT(i, i % factor[i], 0);
    for (int d = 2; d < factor[i]; d++)
      EXPECT_AT(i, i % d != 0, 1);
  }
  return report();
}
