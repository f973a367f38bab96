#include <stdio.h>
#include <stdlib.h>

struct grid { int n; double *a; };

static void step(struct grid *g) {
#pragma acc parallel loop present(g->a[0:g->n])
  for (int i = 0; i < g->n; i++) g->a[i] += 1;
}

int main(void) {
  struct grid *g = malloc(sizeof *g);
  g->n = 10;
  g->a = malloc(10 * sizeof(double));
  for (int i = 0; i < 10; i++) g->a[i] = i;
  double *a = g->a;
#pragma acc data copy(a[0:10])
  step(g);
  printf("%g %g\n", a[0], a[9]);
  return 0;
}
