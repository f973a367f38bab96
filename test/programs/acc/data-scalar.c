// A scalar in a data region is shared by the regions inside: it is not firstprivate there.
// arc: directives-needed
#include "check.h"
#include "separate.h"

int main(void) {
  int x = 5;

#pragma acc data copy(x)
  {
#pragma acc serial
    x += 10;
#pragma acc parallel num_gangs(1)
    x *= 2;
    if (device_memory_is_separate())
      EXPECT(x, 5);
  }

  EXPECT(x, 30);
  return report();
}
