// In a kernels region a loop that must run in order may hold loops that need not: each waits for the one before.
#include "check.h"

#define STEPS 19
#define N 409

int main(void) {
  static int a[STEPS + 1][N], want[STEPS + 1][N], seen[STEPS];
  int state = 39, wanted = 39;
  for (int i = 0; i < N; i++)
    a[0][i] = want[0][i] = i * 7 % 61;
  for (int t = 0; t < STEPS; t++) {
    wanted = (wanted * 5 + 1) % 97;
    for (int i = 0; i < N; i++)
      want[t + 1][i] = want[t][N - 1 - i] + wanted;
  }

#pragma acc kernels copy(a) copyout(seen) num_gangs(8)
  for (int t = 0; t < STEPS; t++) {
    state = (state * 5 + 1) % 97;
    seen[t] = state;
    for (int i = 0; i < N; i++)
      a[t + 1][i] = a[t][N - 1 - i] + state;
  }

  EXPECT(state, wanted);
  EXPECT(seen[STEPS - 1], wanted);
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[STEPS][i], want[STEPS][i]);
  return report();
}
