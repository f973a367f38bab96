// A sum reduction; the value before the region counts once.
// arc: items>1
#include "check.h"

#define N 10007

int main(void) {
  static int a[N];
  int sum = 17;
  for (int i = 0; i < N; i++)
    a[i] = i % 13 - 4;
  int want = 17;
  for (int i = 0; i < N; i++)
    want += a[i];

#pragma acc parallel loop reduction(+:sum) copyin(a)
  for (int i = 0; i < N; i++)
    sum += a[i];

  EXPECT(sum, want);
  return report();
}
