// A struct is copied whole: as an aggregate without a clause, and firstprivate.
// arc: items>1
#include "check.h"

typedef struct {
  int weight[3];
  double scale;
  char tag;
} Filter;

#define N 181

int main(void) {
  Filter f = {{1, -2, 3}, 0.5, 7}, g = f;
  double in[N], out[N];
  g.scale = 2;
  for (int i = 0; i < N; i++)
    in[i] = i;

#pragma acc parallel loop firstprivate(g) copyin(in) copyout(out)
  for (int i = 1; i < N - 1; i++)
    out[i] = f.scale * (f.weight[0] * in[i - 1] + f.weight[1] * in[i] + f.weight[2] * in[i + 1]) + g.scale * g.tag;

  for (int i = 1; i < N - 1; i++)
    NEAR_AT(i, out[i], 0.5 * (2 * i + 2) + 14, 1e-14);
  return report();
}
