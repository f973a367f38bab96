// Atomic read and atomic write of a shared flag and value.
// arc: items>1
#include "check.h"

#define N 401

int main(void) {
  int last = -1, seen[N];
  double value = 2.5, got[N];

#pragma acc parallel loop copy(last) copyout(seen, got) copyin(value)
  for (int i = 0; i < N; i++) {
    int now;
    double x;
#pragma acc atomic write
    last = 3 * i;
#pragma acc atomic read
    now = last;
#pragma acc atomic read
    x = value;
    seen[i] = now;
    got[i] = x;
  }

  EXPECT(last % 3 == 0 && last >= 0 && last < 3 * N, 1);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, seen[i] % 3 == 0 && seen[i] >= 0 && seen[i] < 3 * N, 1);
    NEAR_AT(i, got[i], 2.5, 0);
  }
  return report();
}
