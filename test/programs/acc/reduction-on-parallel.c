// A reduction clause on parallel combines one private value per gang; three gangs each give 5.
// arc: items>1, prints gangs 3
#include "check.h"

int main(void) {
  int gangs = 0, sum = 100;

#pragma acc parallel num_gangs(3) reduction(+:gangs, sum)
  {
    gangs += 1;
    sum += 5;
  }

  printf("gangs %d\n", gangs);
  EXPECT(gangs >= 1 && gangs <= 3, 1);
  EXPECT(sum, 100 + 5 * gangs);
  return report();
}
