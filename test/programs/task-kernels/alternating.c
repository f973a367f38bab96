/* Bodies in partitions, of which kernels of two languages take every other one: not by the number of the first body. */
#include <stdio.h>

enum { BODIES = 128, BS = 32, STEPS = 20 };

typedef struct body {
  float x, y, vx, vy, mass;
} body;

#pragma omp target device(opencl) ndrange(1, count, 32) copy_deps file(nbody.cl)
#pragma omp task in([BODIES]all) out([count]moved)
void move(int first, int count, int device, const body *all, body *moved);

#pragma omp target device(cuda) ndrange(1, count, 32) copy_deps file(nbody.cu) name(move)
#pragma omp task in([BODIES]all) out([count]moved)
void move_cuda(int first, int count, int device, const body *all, body *moved);

int main(void) {
  static body bodies[2][BODIES];
  for (int i = 0; i < BODIES; i++)
    bodies[0][i] = (body){i % 13, i % 7, (i % 3) / 4.0f, 0, 1 + i % 2};
  for (int step = 0; step < STEPS; step++) {
    const body *from = bodies[step % 2];
    body *to = bodies[(step + 1) % 2];
    for (int i = 0; i < BODIES; i += BS) {
      if (i / BS % 2) move_cuda(i, BS, 0, from, to + i);
      else move(i, BS, 0, from, to + i);
    }
  }
#pragma omp taskwait
  double x = 0, y = 0;
  for (int i = 0; i < BODIES; i++) x += bodies[STEPS % 2][i].x, y += bodies[STEPS % 2][i].y;
  printf("%.2f %.2f\n", x, y);
  return 0;
}
