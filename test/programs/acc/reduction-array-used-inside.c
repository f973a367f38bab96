// A reduced array whose elements the loop also reads by themselves: the region runs on one work-item.
// arc: gcc-cannot no array reductions
#include "check.h"

int main(void) {
  int sum[2] = {100, 0};
#pragma acc parallel loop gang vector reduction(+ : sum) num_gangs(1) vector_length(1)
  for (int i = 0; i < 11; i++) {
    sum[0] += i;
    int now = sum[0];
    if (now >= 0)
      sum[1] += 1;
  }
  EXPECT(sum[0], 155);
  EXPECT(sum[1], 11);
  return report();
}
