// A scalar that no clause names is copied in and out of a kernels construct.
#include "check.h"

#define N 257

int main(void) {
  int a[N], last = -1, first = 40;
  for (int i = 0; i < N; i++)
    a[i] = i * i;

#pragma acc kernels copyin(a)
  {
    last = a[N - 1];
    first += a[1];
  }

  EXPECT(last, (N - 1) * (N - 1));
  EXPECT(first, 41);
  return report();
}
