// Sections of length zero are legal and move nothing.
#include "check.h"
#include <stdlib.h>

static int sum(const int *a, int n) {
  int sum = 0;
#pragma acc data copyin(a[0:n])
  {
#pragma acc parallel loop present(a[0:n]) reduction(+:sum)
    for (int i = 0; i < n; i++)
      sum += a[i];
  }
  return sum;
}

int main(void) {
  int *a = malloc(5 * sizeof *a);
  for (int i = 0; i < 5; i++)
    a[i] = i + 1;
  EXPECT(sum(a, 0), 0);
  EXPECT(sum(a, 5), 15);
  free(a);
  return report();
}
