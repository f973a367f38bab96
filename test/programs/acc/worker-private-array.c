// A private array of a worker loop belongs to each worker; its lanes share it.
// arc: items>1, gcc-offload-cannot share private arrays between lanes
#include "check.h"

#define A 4
#define B 21
#define C 40

int main(void) {
  static int t[A][B][C];
  int line[C];

#pragma acc parallel loop gang num_workers(8) vector_length(32) copyout(t)
  for (int i = 0; i < A; i++) {
#pragma acc loop worker private(line)
    for (int j = 0; j < B; j++) {
#pragma acc loop vector
      for (int k = 0; k < C; k++)
        line[k] = 10000 * i + 100 * j + k;
#pragma acc loop vector
      for (int k = 0; k < C; k++)
        t[i][j][k] = line[(k + 7) % C];
    }
  }

  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++)
      for (int k = 0; k < C; k++)
        EXPECT_AT((i * B + j) * C + k, t[i][j][k], 10000 * i + 100 * j + (k + 7) % C);
  return report();
}
