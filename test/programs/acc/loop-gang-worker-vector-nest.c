// Three nested loops, one per level of parallelism.
// arc: items>1
#include "check.h"

#define A 7
#define B 11
#define C 67

int main(void) {
  static int t[A][B][C];

#pragma acc parallel copyout(t) num_gangs(5) num_workers(4) vector_length(32)
  {
#pragma acc loop gang
    for (int i = 0; i < A; i++) {
#pragma acc loop worker
      for (int j = 0; j < B; j++) {
#pragma acc loop vector
        for (int k = 0; k < C; k++)
          t[i][j][k] = i * 10000 + j * 100 + k;
      }
    }
  }

  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++)
      for (int k = 0; k < C; k++)
        EXPECT_AT((i * B + j) * C + k, t[i][j][k], i * 10000 + j * 100 + k);
  return report();
}
