// A product reduction over long long: few factors are not one.
// arc: items>1
#include "check.h"

#define N 1307

int main(void) {
  static long long a[N];
  long long product = -7;
  for (int i = 0; i < N; i++)
    a[i] = i % 100 == 37 ? 13 : i % 400 == 11 ? -1 : 1;
  long long want = -7;
  for (int i = 0; i < N; i++)
    want *= a[i];

#pragma acc parallel loop reduction(*:product) copyin(a)
  for (int i = 0; i < N; i++)
    product *= a[i];

  EXPECT(product, want);
  return report();
}
