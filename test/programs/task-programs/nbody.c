/* Bodies in partitions, which two devices take in turns; what a step makes is the next one's input. */
#include <stdio.h>

enum { BODIES = 128, BS = 32, STEPS = 20, DEVICES = 2 };

typedef struct body {
  float x, y, vx, vy, mass;
} body;

#pragma omp target device(opencl) ndrange(1, count, 32) copy_deps file(programs.cl) onto(device)
#pragma omp task in([BODIES]all) out([count]moved)
void move(int first, int count, int device, const body *all, body *moved);

#ifdef SERIAL
void move(int first, int count, int device, const body *all, body *moved) {
  for (int i = 0; i < count; i++) {
    body b = all[first + i];
    float ax = 0, ay = 0;
    for (int k = 0; k < BODIES; k++) {
      float dx = all[k].x - b.x, dy = all[k].y - b.y;
      float d = dx * dx + dy * dy + 1;
      ax += all[k].mass * dx / d;
      ay += all[k].mass * dy / d;
    }
    b.vx += ax / 64, b.vy += ay / 64;
    b.x += b.vx / 64, b.y += b.vy / 64;
    moved[i] = b;
  }
}
#endif

int main(void) {
  static body bodies[2][BODIES];
  for (int i = 0; i < BODIES; i++)
    bodies[0][i] = (body){i % 13, i % 7, (i % 3) / 4.0f, 0, 1 + i % 2};
  for (int step = 0; step < STEPS; step++) {
    const body *from = bodies[step % 2];
    body *to = bodies[(step + 1) % 2];
    for (int i = 0; i < BODIES; i += BS) move(i, BS, i / BS % DEVICES, from, to + i);
  }
#pragma omp taskwait
  double x = 0, y = 0;
  for (int i = 0; i < BODIES; i++) x += bodies[STEPS % 2][i].x, y += bodies[STEPS % 2][i].y;
  printf("%.2f %.2f\n", x, y);
  return 0;
}
