// The host repeats regions until a reduction says that the iteration has converged.
// arc: items>1
#include "check.h"

#define N 41

int main(void) {
  static double x[N], y[N];
  double change = 1;
  int rounds = 0;
  x[N - 1] = y[N - 1] = 1;

#pragma acc data copy(x) copyin(y)
  {
    while (change > 1e-9 && rounds < 10000) {
      change = 0;
#pragma acc parallel loop reduction(max:change)
      for (int i = 1; i < N - 1; i++) {
        y[i] = 0.5 * (x[i - 1] + x[i + 1]);
        change = fmax(change, fabs(y[i] - x[i]));
      }
#pragma acc parallel loop
      for (int i = 1; i < N - 1; i++)
        x[i] = y[i];
      rounds++;
    }
  }

  EXPECT(rounds > 100 && rounds < 10000, 1);
  for (int i = 0; i < N; i++)
    NEAR_AT(i, x[i], i / (double)(N - 1), 1e-6);
  return report();
}
