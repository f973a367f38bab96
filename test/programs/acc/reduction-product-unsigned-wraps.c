// A product reduction over unsigned wraps around as the type says.
// arc: items>1
#include "check.h"

#define N 503

int main(void) {
  unsigned product = 3, want = 3;
  for (unsigned i = 0; i < N; i++)
    want *= 2 * i + 1;

#pragma acc parallel loop reduction(*:product)
  for (unsigned i = 0; i < N; i++)
    product *= 2 * i + 1;

  EXPECT(product, want);
  return report();
}
