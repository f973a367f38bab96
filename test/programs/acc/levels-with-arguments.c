// Gang(num:), worker(num:) and vector(length:) on the loops of a kernels construct.
// arc: items>1
#include "check.h"

#define A 23
#define B 130

int main(void) {
  static int t[A][B];
  int lanes = 64;

#pragma acc kernels copyout(t)
  {
#pragma acc loop gang(num:4) worker(2) independent
    for (int i = 0; i < A; i++) {
#pragma acc loop vector(length:lanes) independent
      for (int j = 0; j < B; j++)
        t[i][j] = i * 1000 + j;
    }
  }

  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++)
      EXPECT_AT(i * B + j, t[i][j], i * 1000 + j);
  return report();
}
