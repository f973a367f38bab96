// A loop whose step is 0 does no harm while it is not reached, even though the host counts its iterations.
#include "check.h"

int main(int argc, char **argv) {
  int step = argc - 1, a[10] = {0};
  (void)argv;

#pragma acc parallel copy(a)
  if (step > 0) {
#pragma acc loop gang
    for (int i = 0; i < 10; i += step)
      a[i] = 1;
  }

  for (int i = 0; i < 10; i++)
    EXPECT_AT(i, a[i], 0);
  return report();
}
