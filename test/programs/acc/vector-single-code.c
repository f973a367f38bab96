// Code of a worker loop around a vector loop runs once per iteration, and its values reach all lanes.
// arc: items>1
#include "check.h"

#define A 5
#define B 14
#define C 50

int main(void) {
  static int t[A][B][C];
  int count = 0;

#pragma acc parallel loop gang num_workers(4) vector_length(32) copyout(t) copy(count)
  for (int i = 0; i < A; i++) {
#pragma acc loop worker
    for (int j = 0; j < B; j++) {
      int key = 10 * i + j;
#pragma acc atomic update
      count++;
#pragma acc loop vector
      for (int k = 0; k < C; k++)
        t[i][j][k] = key * 100 + k;
    }
  }

  EXPECT(count, A * B);
  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++)
      for (int k = 0; k < C; k++)
        EXPECT_AT((i * B + j) * C + k, t[i][j][k], (10 * i + j) * 100 + k);
  return report();
}
