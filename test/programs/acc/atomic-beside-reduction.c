// An atomic update beside a reduction in one loop.
// arc: items>1
#include "check.h"

#define N 1203

int main(void) {
  int evens = 0;
  float most = 0;

#pragma acc parallel loop copy(evens) reduction(max:most)
  for (int i = 0; i < N; i++) {
    if (i % 2 == 0) {
#pragma acc atomic update
      evens += 1;
    }
    most = fmaxf(most, (float)(i * 31 % N));
  }

  EXPECT(evens, (N + 1) / 2);
  NEAR(most, N - 1, 0);
  return report();
}
