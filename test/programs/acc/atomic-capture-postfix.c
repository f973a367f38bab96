// Atomic capture with ++ and --: every lane draws a number of its own.
// arc: items>1
#include "check.h"

#define N 1511

int main(void) {
  static int up[N], down[N], taken[N + 1];
  int next = 0, rest = N;

#pragma acc parallel loop copy(next, rest) copyout(up, down)
  for (int i = 0; i < N; i++) {
    int ticket, left;
#pragma acc atomic capture
    ticket = next++;
#pragma acc atomic capture
    left = --rest;
    up[i] = ticket;
    down[i] = left;
  }

  EXPECT(next, N);
  EXPECT(rest, 0);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, up[i] >= 0 && up[i] < N && down[i] >= 0 && down[i] < N, 1);
    taken[up[i]] += 1;
    taken[down[i]] += 1;
  }
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, taken[i], 2);
  return report();
}
