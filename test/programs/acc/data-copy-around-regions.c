// A data region keeps an array on the device over two compute regions.
// arc: items>1
#include "check.h"

#define N 601

int main(void) {
  static int a[N];
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma acc data copy(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      a[i] += 5;
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      a[i] *= 2;
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], 2 * (i + 5));
  return report();
}
