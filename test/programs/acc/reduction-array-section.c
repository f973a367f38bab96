// A reduction over a section of an array that is as long as a run-time value says.
// arc: items>1, gcc-cannot no array reductions
#include "check.h"

static void histogram(int n, int bins, double *sum) {
#pragma acc parallel loop reduction(+:sum[0:bins])
  for (int i = 0; i < n; i++)
    sum[i % bins] += 0.5;
}

int main(void) {
  int bins = 7, n = 3001;
  double sum[9] = {1, 1, 1, 1, 1, 1, 1, 77, 78};
  histogram(n, bins, sum);
  for (int b = 0; b < bins; b++)
    NEAR_AT(b, sum[b], 1 + 0.5 * ((n - b + bins - 1) / bins), 1e-12);
  NEAR(sum[7], 77, 0);
  NEAR(sum[8], 78, 0);
  return report();
}
