// An iteration reads, through another pointer, the element that it has just updated atomically.
// arc: items>1
#include "check.h"

#define N 1013

static void step(int n, int *count, const int *same, int *seen) {
#pragma acc parallel loop present(count[0:n], same[0:n], seen[0:n])
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    count[i] += i;
    seen[i] = same[i];
  }
}

int main(void) {
  static int count[N], seen[N];
  for (int i = 0; i < N; i++)
    count[i] = 5 * i;
#pragma acc data copy(count) copyout(seen)
  step(N, count, count, seen);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, count[i], 6 * i);
    EXPECT_AT(i, seen[i], 6 * i);
  }
  return report();
}
