// Odd-even transposition sort: many launches that exchange neighbours in place.
// arc: items>1
#include "check.h"

#define N 151

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++)
    a[i] = i * 64 % N;

#pragma acc data copy(a)
  {
    for (int round = 0; round < N; round++) {
#pragma acc parallel loop firstprivate(round)
      for (int i = round % 2; i < N - 1; i += 2)
        if (a[i] > a[i + 1]) {
          int t = a[i];
          a[i] = a[i + 1];
          a[i + 1] = t;
        }
    }
  }

  for (int i = 0; i < N; i++)
    EXPECT_AT(i, a[i], i);
  return report();
}
