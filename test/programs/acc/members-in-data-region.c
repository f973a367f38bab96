// Regions in a data construct that names members of a structure find these, without the structure itself.
// arc: items>1, gcc-cannot the structure is copied as a whole
#include "check.h"

struct series {
  int n;
  double *values;
};

static void thrice(struct series *s) {
#pragma acc data copy(s->values[0:s->n]) copyin(s->n)
  {
#pragma acc parallel loop
    for (int i = 0; i < s->n; i++)
      s->values[i] *= 3;
  }
}

int main(void) {
  double values[73];
  struct series s = {73, values};
  for (int i = 0; i < 73; i++)
    values[i] = i;
#pragma acc data copy(s.values[0:73]) copyin(s.n)
  {
#pragma acc parallel loop
    for (int i = 0; i < s.n; i++)
      s.values[i] *= 2;
#pragma acc kernels
    {
      for (int i = 0; i < s.n; i++)
        s.values[i] += 1;
      for (int i = 0; i < s.n; i++)
        s.values[i] *= 2;
    }
  }
  thrice(&s);
#pragma acc data copy(s) copy(s.values[0:73])
  {
#pragma acc parallel loop
    for (int i = 0; i < s.n; i++)
      s.values[i] += s.n;
  }
  for (int i = 0; i < 73; i++)
    NEAR_AT(i, values[i], 6 * (2.0 * i + 1) + 73, 0);
#pragma acc parallel loop copy(s.values[0:73]) copyin(s.n)
  for (int i = 0; i < s.n; i++)
    s.values[i] = 1;
  NEAR(values[72], 1.0, 0);
  return report();
}
