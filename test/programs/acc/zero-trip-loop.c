// A loop without iterations touches nothing, and a reduction over it keeps its value.
#include "check.h"

static int sum_between(const int *a, int from, int to) {
  int sum = 5;
#pragma acc parallel loop reduction(+:sum) copyin(a[0:8])
  for (int i = from; i < to; i++)
    sum += a[i];
  return sum;
}

int main(void) {
  int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};

#pragma acc parallel loop copy(a)
  for (int i = 3; i < 3; i++)
    a[i] = 0;
#pragma acc parallel loop copy(a)
  for (int i = 5; i < 2; i++)
    a[i] = 0;

  for (int i = 0; i < 8; i++)
    EXPECT_AT(i, a[i], i + 1);
  EXPECT(sum_between(a, 4, 4), 5);
  EXPECT(sum_between(a, 6, 1), 5);
  EXPECT(sum_between(a, 0, 8), 41);
  return report();
}
