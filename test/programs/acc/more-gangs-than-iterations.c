// More gangs, workers and lanes than there are iterations.
// arc: items>1
#include "check.h"

int main(void) {
  int a[3] = {1, 2, 3}, b[2][3] = {{0}}, sum = 0;

#pragma acc parallel loop gang worker vector num_gangs(16) num_workers(4) vector_length(32) copy(a) reduction(+:sum)
  for (int i = 0; i < 3; i++) {
    a[i] *= 10;
    sum += a[i];
  }
#pragma acc parallel loop gang num_gangs(50) copy(b)
  for (int i = 0; i < 2; i++) {
#pragma acc loop worker vector
    for (int j = 0; j < 3; j++)
      b[i][j] += i + j;
  }

  EXPECT(sum, 60);
  EXPECT(a[2], 30);
  EXPECT(b[1][2], 3);
  return report();
}
