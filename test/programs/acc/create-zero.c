// With create(zero:) device memory starts as zero.
// arc: items>1, gcc-cannot no zero modifier
#include "check.h"
#include <stdlib.h>

int main(void) {
  int n = 1009, sum = 0, *count = calloc(n, sizeof *count);
  double largest = 0, *x = calloc(n, sizeof *x);

#pragma acc data create(zero: count[0:n])
  {
#pragma acc parallel loop present(count[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
      count[i * i % n] += 1;
    }
#pragma acc parallel loop present(count[0:n]) reduction(+:sum)
    for (int i = 0; i < n; i++)
      sum += count[i];
  }
#pragma acc enter data create(zero: x[0:n])
#pragma acc parallel loop present(x[0:n]) reduction(max:largest)
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(x[i]));
#pragma acc exit data delete(x[0:n])

  EXPECT(sum, n);
  NEAR(largest, 0, 0);
  free(count);
  free(x);
  return report();
}
