// Loops with levels of parallelism in a serial construct run there on one lane.
#include "check.h"

#define N 45

int main(void) {
  int a[N][N], sum = 0;

#pragma acc serial copyout(a) copy(sum)
  {
#pragma acc loop gang
    for (int i = 0; i < N; i++) {
#pragma acc loop vector
      for (int j = 0; j < N; j++)
        a[i][j] = i * j;
    }
#pragma acc loop seq
    for (int i = 0; i < N; i++)
      sum += a[i][i];
  }

  EXPECT(sum, (N - 1) * N * (2 * N - 1) / 6);
  EXPECT(a[3][7], 21);
  return report();
}
