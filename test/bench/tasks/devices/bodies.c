/* All-pairs bodies in partitions as tasks: one GPU, or as many as are visible. Prints seconds a step, transfers included. */
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float x, y, z, mass;
} place;
typedef struct {
  float x, y, z;
} speed;

#pragma omp target device(cuda) ndrange(1, count, 256) copy_deps file(bodies.cu)
#pragma omp task in([bodies]all) inout([count]v) out([count]moved)
void move(int bodies, int first, int count, const place *all, speed *v, place *moved);

int main(int argc, char **argv) {
  int bodies = argc > 1 ? atoi(argv[1]) : 524288, parts = argc > 2 ? atoi(argv[2]) : 8, steps = 5;
  int count = bodies / parts;
  place *at[2] = {malloc(sizeof(place) * bodies), malloc(sizeof(place) * bodies)};
  speed *v = calloc(bodies, sizeof *v);
  for (int i = 0; i < bodies; i++) at[0][i] = (place){i % 101, i % 103, i % 107, 1 + i % 2};
  for (int turn = 0; turn < 3; turn++) { /* the first opens devices */
    double start = seconds();
    for (int step = 0; step < 2 * steps; step++)
      for (int i = 0; i < bodies; i += count) move(bodies, i, count, at[step % 2], v + i, at[1 - step % 2] + i);
#pragma omp taskwait
    double took = (seconds() - start) / (2 * steps);
    printf("bodies %d in %d: %.4f s a step, %.2f G pairs/s\n", bodies, parts, took, (double)bodies * bodies / took * 1e-9);
  }
  double sum = 0;
  for (int i = 0; i < bodies; i++) sum += at[0][i].x + at[0][i].y * 2 + at[0][i].z * 3;
  printf("sum %.9g\n", sum);
  return 0;
}
