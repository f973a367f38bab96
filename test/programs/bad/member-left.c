// A structure without what its pointer leads to: the region reads memory of the host.
// expect: 11:10 warning[member-left]
// remedy: map f.x[0:n] besides the structure
#include <stdlib.h>
struct rows { double *x; int n; };
double f(int n) {
  struct rows f = {.n = n}; double s = 0;
  f.x = calloc(n, sizeof(double));
#pragma acc parallel loop copyin(f) reduction(+:s)
  for (int i = 0; i < n; i++)
    s += f.x[i];
  return s;
}
