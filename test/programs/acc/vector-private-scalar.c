// Private scalars at each level of a nest keep their level's value.
// arc: items>1
#include "check.h"

#define A 6
#define B 10
#define C 35

int main(void) {
  static int t[A][B][C];
  int outer, middle, inner;

#pragma acc parallel loop gang private(outer) copyout(t) num_workers(2) vector_length(32)
  for (int i = 0; i < A; i++) {
    outer = 3 * i;
#pragma acc loop worker private(middle)
    for (int j = 0; j < B; j++) {
      middle = outer + 2 * j;
#pragma acc loop vector private(inner)
      for (int k = 0; k < C; k++) {
        inner = middle + k;
        t[i][j][k] = inner * 10 + outer;
      }
    }
  }

  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++)
      for (int k = 0; k < C; k++)
        EXPECT_AT((i * B + j) * C + k, t[i][j][k], (3 * i + 2 * j + k) * 10 + 3 * i);
  return report();
}
