// A logical-and reduction gives 0 or 1, whatever non-zero values went in.
// arc: items>1, gcc-offload-cannot take 8 for true
#include "check.h"

#define N 1409

static int all_positive(const int *a) {
  int all = 8;
#pragma acc parallel loop reduction(&&:all) copyin(a[0:N])
  for (int i = 0; i < N; i++)
    all = all && a[i];
  return all;
}

int main(void) {
  static int a[N];
  for (int i = 0; i < N; i++)
    a[i] = i + 1;
  EXPECT(all_positive(a), 1);
  a[N - 1] = 0;
  EXPECT(all_positive(a), 0);
  a[N - 1] = 2;
  a[0] = 0;
  EXPECT(all_positive(a), 0);
  return report();
}
