// A scalar that no clause names is firstprivate in a parallel construct: its changes stay inside.
// arc: directives-needed
#include "check.h"

int main(void) {
  int scale = 7, result[1] = {0};

#pragma acc parallel num_gangs(1) copy(result)
  {
    scale += 4;
    result[0] = scale;
  }

  EXPECT(result[0], 11);
  EXPECT(scale, 7);
  return report();
}
