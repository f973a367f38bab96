// Every gang computes a value for itself before a gang loop shares out the iterations.
// arc: items>1
#include "check.h"

#define N 777

int main(void) {
  static int a[N];
  int seed = 20;

#pragma acc parallel copyout(a) num_gangs(7)
  {
    int base = seed * 2 + 2;
    int bonus = base > 40 ? 5 : 6;
#pragma acc loop gang
    for (int i = 0; i < N; i++)
      a[i] = base + bonus + i;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 47 + i);
  return report();
}
