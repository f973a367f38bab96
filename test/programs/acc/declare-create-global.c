// A global array that declare create keeps on the device for the whole program.
// arc: items>1, gcc-offload-cannot update static variables of declare
#include "check.h"

#define N 389

static float table[N];
#pragma acc declare create(table)

static void fill(void) {
#pragma acc parallel loop present(table)
  for (int i = 0; i < N; i++)
    table[i] = i * 0.5f;
}

static float at(int i) {
  float value[1];
#pragma acc serial copyout(value)
  { value[0] = table[i]; }
  return value[0];
}

int main(void) {
  fill();
  NEAR(at(100), 50, 0);
#pragma acc update self(table)
  for (int i = 0; i < N; i++)
    NEAR_AT(i, table[i], i * 0.5, 0);
  return report();
}
