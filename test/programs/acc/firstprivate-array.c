// Each gang has its own copy of a firstprivate array, initialised with the host's values.
// arc: items>1, directives-needed
#include "check.h"

#define N 41

int main(void) {
  int table[4] = {3, 1, 4, 1}, out[N];

#pragma acc parallel loop gang firstprivate(table) copyout(out) num_gangs(5)
  for (int i = 0; i < N; i++) {
    int before = table[i % 4];
    table[i % 4] = before + 1;
    out[i] = before + 1 - table[i % 4];
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, out[i], 0);
  EXPECT(table[0], 3);
  EXPECT(table[3], 1);
  return report();
}
