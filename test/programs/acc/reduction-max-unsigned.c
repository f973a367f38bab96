// A maximum reduction over unsigned values above INT_MAX.
// arc: items>1
#include "check.h"

#define N 701

int main(void) {
  unsigned most = 5;
  unsigned long long widest = 0;

#pragma acc parallel loop reduction(max:most, widest)
  for (int i = 0; i < N; i++) {
    unsigned value = 4000000000u + (unsigned)(i * 97 % N);
    if (value > most)
      most = value;
    if ((unsigned long long)value << 32 > widest)
      widest = (unsigned long long)value << 32;
  }

  EXPECT(most, 4000000000u + N - 1);
  EXPECT(widest >> 32, 4000000000u + N - 1);
  return report();
}
