// A minimum reduction; the value before the region may be the smallest.
// arc: items>1
#include "check.h"

#define N 2003

int main(void) {
  static int a[N];
  for (int i = 0; i < N; i++)
    a[i] = 50 + (i * 91) % N;
  int least = 1000000, kept = -3;

#pragma acc parallel loop reduction(min:least, kept) copyin(a)
  for (int i = 0; i < N; i++) {
    if (a[i] < least)
      least = a[i];
    if (a[i] < kept)
      kept = a[i];
  }

  EXPECT(least, 50);
  EXPECT(kept, -3);
  return report();
}
