// A sum reduction over long long beyond 32 bits.
// arc: items>1
#include "check.h"

#define N 6007

int main(void) {
  long long sum = -1, want = -1;
  for (int i = 0; i < N; i++)
    want += (long long)i * i * 1000003;

#pragma acc parallel loop reduction(+:sum)
  for (int i = 0; i < N; i++)
    sum += (long long)i * i * 1000003;

  EXPECT(sum, want);
  return report();
}
