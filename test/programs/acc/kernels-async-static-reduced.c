// Statements of an asynchronous kernels construct read what a loop of it reduced into variables with static storage.
// arc: async
#include "check.h"

#define N 97

static int total = 3;

int main(void) {
  static unsigned least = 450;
  int a[N];
  for (int i = 0; i < N; i++)
    a[i] = 500 - i;

#pragma acc data copy(a)
  {
#pragma acc kernels async(1)
    {
#pragma acc loop gang vector reduction(min : least)
      for (int i = 0; i < N; i++)
        least = (unsigned)a[i] < least ? (unsigned)a[i] : least;
#pragma acc loop gang vector reduction(+ : total)
      for (int i = 0; i < N; i++)
        total += a[i];
      a[0] = (int)least;
      a[1] = total;
    }
#pragma acc wait(1)
  }

  EXPECT(least, 404);
  EXPECT(a[0], 404);
  EXPECT(a[1], 3 + 500 * N - N * (N - 1) / 2);
  EXPECT(total, a[1]);
  return report();
}
