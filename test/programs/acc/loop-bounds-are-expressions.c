// Loop bounds that call for computation: array elements, ternaries and casts.
// arc: items>1
#include "check.h"

#define N 640

int main(void) {
  int a[N] = {0}, range[2] = {17, 613};
  double margin = 2.75;

#pragma acc parallel loop copy(a)
  for (int i = range[0] + (int)margin; i < (range[1] > N ? N : range[1]) - 1; i++)
    a[i] = 1;

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i >= 19 && i < 612);
  return report();
}
