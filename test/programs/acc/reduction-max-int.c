// A maximum reduction over ints of which all are negative.
// arc: items>1
#include "check.h"

#define N 4999

int main(void) {
  static int a[N];
  for (int i = 0; i < N; i++)
    a[i] = -2147483647 + (i * 7919) % N;
  int most = -2147483647 - 1;

#pragma acc parallel loop reduction(max:most) copyin(a)
  for (int i = 0; i < N; i++)
    most = most > a[i] ? most : a[i];

  EXPECT(most, -2147483647 + N - 1);
  return report();
}
