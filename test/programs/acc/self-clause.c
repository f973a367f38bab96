// The self clause runs a region on the local thread, always or by condition.
// arc: gcc-cannot no self clause on compute constructs
#include "check.h"

#define N 59

static void fill(int *a, int from, int local) {
#pragma acc parallel loop copy(a[0:N]) self(local)
  for (int i = 0; i < N; i++)
    a[i] = from + i;
}

int main(void) {
  int a[N];
#pragma acc parallel loop self
  for (int i = 0; i < N; i++)
    a[i] = i;
  EXPECT(a[10], 10);
  fill(a, 100, 1);
  EXPECT(a[10], 110);
  fill(a, 200, 0);
  EXPECT(a[10], 210);
#pragma acc serial self copy(a)
  a[10] = 0;
  EXPECT(a[10], 0);
  return report();
}
