// A pointer of a structure is mapped with what it leads to. A region maps another member beside it, and uses the pointer
// alone: the part of the structure that is there stands for all, also when the other part is there.
#include "../acc/check.h"
#include "programs.h"
#include <stdlib.h>

#define N 16

int parts_of_structure(void) {
  struct {
    int n;
    double *x;
    long k;
  } o = {N, malloc(N * sizeof(double)), 5};
  double *const x = o.x, y[N];
  for (int i = 0; i < N; i++)
    x[i] = 2 * i;
#pragma omp target enter data map(to : o.x, o.x[0 : N])
#pragma omp target teams distribute parallel for map(to : o.n)
  for (int i = 0; i < N; i++)
    y[i] = o.x[i];
#pragma omp target
  o.x[0] += 1;
#pragma omp target exit data map(from : o.x[0 : N]) map(release : o.x)
  for (int i = 0; i < N; i++)
    EXPECT_AT(i, y[i], 2 * i);
  EXPECT(o.x == x, 1);
  EXPECT(x[0], 1);
  free(x);
  return report();
}
