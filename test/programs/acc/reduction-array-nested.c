// Array reductions inside gangs: vector lanes reduce into an array of their gang, and all gangs into one of the program.
// arc: items>1, gcc-cannot no array reductions
#include "check.h"

#define ROWS 37
#define N 211

static int data[ROWS][N], most[ROWS], total[4];

int main(void) {
  int want[4] = {1000, 0, -5, 2};
  for (int b = 0; b < 4; b++)
    total[b] = want[b];
  for (int r = 0; r < ROWS; r++)
    for (int i = 0; i < N; i++) {
      data[r][i] = (r * r + 31 * i * i) % 101;
      want[data[r][i] % 4] += r;
    }

#pragma acc parallel loop gang reduction(+ : total) copyin(data) copyout(most)
  for (int r = 0; r < ROWS; r++) {
    int bins[5] = {0, 0, 0, 0, 0};
#pragma acc loop vector reduction(+ : bins, total)
    for (int i = 0; i < N; i++) {
      bins[data[r][i] % 5]++;
      total[data[r][i] % 4] += r;
    }
    int best = 0;
    for (int b = 1; b < 5; b++)
      if (bins[b] > bins[best])
        best = b;
    most[r] = best * 1000 + bins[best];
  }

  for (int r = 0; r < ROWS; r++) {
    int bins[5] = {0, 0, 0, 0, 0}, best = 0;
    for (int i = 0; i < N; i++)
      bins[data[r][i] % 5]++;
    for (int b = 1; b < 5; b++)
      if (bins[b] > bins[best])
        best = b;
    EXPECT_AT(r, most[r], best * 1000 + bins[best]);
  }
  for (int b = 0; b < 4; b++)
    EXPECT_AT(b, total[b], want[b]);
  return report();
}
