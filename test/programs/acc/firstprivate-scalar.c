// Firstprivate scalars of several types keep their values outside the region.
// arc: items>1, directives-needed
#include "check.h"

#define N 57

int main(void) {
  char c = 'a';
  short s = -300;
  long long l = 1LL << 40;
  float f = 0.25f;
  double sums[N];

#pragma acc parallel firstprivate(c, s, l, f) copyout(sums) num_gangs(3)
  {
    c += 1;
    s -= 1;
    l += 1;
    f *= 2;
#pragma acc loop gang
    for (int i = 0; i < N; i++)
      sums[i] = c + s + (double)l + f + i;
  }

  for (int i = 0; i < N; i++)
    NEAR_AT(i, sums[i], 'b' - 301 + (double)((1LL << 40) + 1) + 0.5 + i, 0);
  EXPECT(c, 'a');
  EXPECT(s, -300);
  EXPECT(l, 1LL << 40);
  NEAR(f, 0.25, 0);
  return report();
}
