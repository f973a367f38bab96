// An array reduction on parallel: each of three gangs adds to its copy once, and its loops add to it too.
// arc: items>1, directives-needed, gcc-cannot no array reductions
#include "check.h"

int main(void) {
  double sum[3] = {0.5, 1.5, 2.5};
#pragma acc parallel num_gangs(3) reduction(+ : sum)
  {
    sum[1] += 10;
#pragma acc loop gang vector
    for (int i = 0; i < 1009; i++)
      sum[i % 3] += 1;
  }
  NEAR(sum[0], 0.5 + 337, 0);
  NEAR(sum[1], 1.5 + 30 + 336, 0);
  NEAR(sum[2], 2.5 + 336, 0);
  return report();
}
