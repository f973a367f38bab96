// Reductions at three levels, each feeding the next: lanes to workers to gangs.
// arc: items>1
#include "check.h"

#define A 11
#define B 13
#define C 71

int main(void) {
  static int a[A][B][C];
  long total = 3, want = 3;
  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++)
      for (int k = 0; k < C; k++) {
        a[i][j][k] = (i + 2 * j + 3 * k) % 19 - 9;
        want += a[i][j][k];
      }

#pragma acc parallel copyin(a) copy(total) num_workers(4) vector_length(32)
  {
#pragma acc loop gang reduction(+:total)
    for (int i = 0; i < A; i++) {
      long plane = 0;
#pragma acc loop worker reduction(+:plane)
      for (int j = 0; j < B; j++) {
        long row = 0;
#pragma acc loop vector reduction(+:row)
        for (int k = 0; k < C; k++)
          row += a[i][j][k];
        plane += row;
      }
      total += plane;
    }
  }

  EXPECT(total, want);
  return report();
}
