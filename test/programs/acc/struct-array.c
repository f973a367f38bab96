// An array of structs on the device; the regions change some members.
// arc: items>1
#include "check.h"

struct particle {
  double x[3];
  float mass;
  short kind;
};

#define N 149

int main(void) {
  struct particle p[N];
  for (int i = 0; i < N; i++) {
    p[i] = (struct particle){{i, 2 * i, 3 * i}, 1.5f, (short)(i % 4)};
  }

#pragma acc parallel loop copy(p)
  for (int i = 0; i < N; i++) {
    struct particle *q = &p[i];
    for (int d = 0; d < 3; d++)
      q->x[d] += q->mass * q->kind;
    if (q->kind == 3)
      q->mass = 0;
  }

  for (int i = 0; i < N; i++) {
    for (int d = 0; d < 3; d++)
      NEAR_AT(i, p[i].x[d], (d + 1) * i + 1.5 * (i % 4), 0);
    NEAR_AT(i, p[i].mass, i % 4 == 3 ? 0 : 1.5, 0);
    EXPECT_AT(i, p[i].kind, i % 4);
  }
  return report();
}
