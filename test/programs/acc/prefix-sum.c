// Prefix sums by doubling distances, with two arrays in turn.
// arc: items>1
#include "check.h"

#define N 1000

int main(void) {
  static long a[2][N];
  for (int i = 0; i < N; i++)
    a[0][i] = i % 17 + 1;
  int from = 0;

#pragma acc data copy(a)
  {
    for (int distance = 1; distance < N; distance *= 2) {
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
        a[1 - from][i] = a[from][i] + (i >= distance ? a[from][i - distance] : 0);
      from = 1 - from;
    }
  }

  long sum = 0;
  for (int i = 0; i < N; i++) {
    sum += i % 17 + 1;
    EXPECT_AT(i, a[from][i], sum);
  }
  return report();
}
