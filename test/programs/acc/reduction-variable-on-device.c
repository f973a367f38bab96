// The reduced variable lives on the device in a data region: several loops add to it there.
// arc: items>1
#include "check.h"

#define N 1009

int main(void) {
  int sum = 2;

#pragma acc data copy(sum)
  {
#pragma acc parallel loop reduction(+:sum)
    for (int i = 0; i < N; i++)
      sum += 1;
#pragma acc parallel loop reduction(+:sum)
    for (int i = 0; i < N; i++)
      sum += 2;
  }

  EXPECT(sum, 2 + 3 * N);
  return report();
}
