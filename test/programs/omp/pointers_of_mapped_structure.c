// A data construct maps what pointers of a structure lead to; regions in it use the structure's other members, too, pass
// the structure to functions, and map single members: its pointers lead to what was mapped.
#include "../acc/check.h"
#include "programs.h"
#include <stdlib.h>

#define N 16

struct object {
  int n;
  double *x;
  struct {
    float *w;
    int k;
  } in;
};

#pragma omp declare target
static double through(struct object *o, int i) {
  return o->x[i] + o->in.w[i] * o->in.k;
}
static double copied(struct object o, int i) {
  return o.x[i] + o.n;
}
#pragma omp end declare target

static void scaled(double *x, int n, double by) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
  for (int i = 0; i < n; i++)
    x[i] *= by;
}

int pointers_of_mapped_structure(void) {
  struct object o = {N, malloc(N * sizeof(double)), {malloc(N * sizeof(float)), 3}};
  double *const x = o.x, y[5][N];
  for (int i = 0; i < N; i++) {
    o.x[i] = i;
    o.in.w[i] = 2 * i;
  }
#pragma omp target data map(tofrom : o.x[0 : N]) map(to : o.in.w[0 : N])
  {
    scaled(o.x, N, 2);
#pragma omp target teams distribute parallel for map(from : y[0])
    for (int i = 0; i < o.n; i++)
      y[0][i] = o.x[i] + o.in.w[i] * o.in.k;
#pragma omp target teams distribute parallel for map(from : y[1]) map(to : o.n, o.in.k)
    for (int i = 0; i < o.n; i++)
      y[1][i] = o.x[i] - o.in.w[i] * o.in.k;
#pragma omp target teams distribute parallel for map(from : y[2])
    for (int i = 0; i < N; i++)
      y[2][i] = through(&o, i);
#pragma omp target teams distribute parallel for map(from : y[3])
    for (int i = 0; i < N; i++)
      y[3][i] = copied(o, i);
#pragma omp target map(from : y[4])
    for (int i = 0; i < o.n; i++) {
      y[4][i] = o.x[i];
      o.x[i] += 1;
    }
  }
  EXPECT(o.x == x, 1);
  for (int i = 0; i < N; i++) {
    EXPECT_AT(i, y[0][i], 8 * i);
    EXPECT_AT(i, y[1][i], -4 * i);
    EXPECT_AT(i, y[2][i], 8 * i);
    EXPECT_AT(i, y[3][i], 2 * i + N);
    EXPECT_AT(i, y[4][i], 2 * i);
    EXPECT_AT(i, x[i], 2 * i + 1);
  }
  free(o.in.w);
  free(x);
  return report();
}
