// Routines of two files use variables of their files: static, of one name, changed, never declared for the device.
// arc: items>1, gcc-cannot use variables without declare in routines
#include "../check.h"
#include "counts.h"

#define N 300

static int table[2] = {7, 9};

static int clamp(int i) { return i + 1; }

int main(void) {
  double own[N], result[N];
  int in[N];
  for (int i = 0; i < N; i++)
    own[i] = i;
  weights = own;
  set_limits(10, 200);

#pragma acc data copyin(own) copyout(result, in)
  {
#pragma acc parallel loop present(own, result)
    for (int i = 0; i < N; i++)
      result[i] = weighted(i) + table[i % 2] + clamp(i);

    struct range r = {50, 250};
#pragma acc parallel loop present(in)
    for (int i = 0; i < N; i++) {
      in[i] = inside(r, i);
      count(i);
    }

    // The variable is mapped here already: the routine's changes stay on the device until the update.
#pragma acc data copyin(calls)
    {
#pragma acc parallel loop
      for (int i = 0; i < 80; i++)
        count(i);
#pragma acc update self(calls)
    }
  }

  static const double factors[4] = {0.5, 1, 2, 4};
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, in[i], i >= 50 && i <= 200);
    NEAR(result[i], i * factors[i & 3] + (i % 2 ? 9 : 7) + i + 1, 1e-12);
  }
  for (int i = 0; i < 4; i++)
    EXPECT_AT(i, counted(i), N / 4 + 20);
  for (int i = 0; i < 8; i++)
    EXPECT_AT(i, calls[i], 2 * (N / 8 + (i < N % 8)) + 20);
  return report();
}
