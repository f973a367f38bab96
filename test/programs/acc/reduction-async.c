// The result of a reduction on a queue is there after wait.
// arc: items>1, async
#include "check.h"

#define N 4001

int main(void) {
  long sum = 0;
  int most = 0;

#pragma acc data copy(sum, most)
  {
#pragma acc parallel loop reduction(+:sum) async(3)
    for (int i = 0; i < N; i++)
      sum += i;
#pragma acc parallel loop reduction(max:most) async(4)
    for (int i = 0; i < N; i++)
      most = i * 37 % N > most ? i * 37 % N : most;
#pragma acc wait(3, 4)
  }

  EXPECT(sum, (long)N * (N - 1) / 2);
  EXPECT(most, N - 1);
  return report();
}
