// Code outside loops runs once per gang, not once per lane.
// arc: items>1, prints gangs 6
#include "check.h"

int main(void) {
  int gangs = 0;

#pragma acc parallel num_gangs(6) num_workers(4) vector_length(32) copy(gangs)
  {
#pragma acc atomic update
    gangs += 1;
  }

  printf("gangs %d\n", gangs);
  EXPECT(gangs >= 1 && gangs <= 6, 1);
  return report();
}
