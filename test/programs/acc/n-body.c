// Forces between all pairs of bodies: a gang per body, a vector reduction of three sums inside.
// arc: items>1
#include "check.h"

#define N 61

typedef struct {
  double x, y, z, mass;
} Body;

int main(void) {
  static Body body[N];
  static double force[N][3];
  for (int i = 0; i < N; i++)
    body[i] = (Body){i % 5, i % 7 * 0.5, i * 0.125, 1 + i % 3};

#pragma acc parallel loop gang copyin(body) copyout(force) vector_length(32)
  for (int i = 0; i < N; i++) {
    double fx = 0, fy = 0, fz = 0;
#pragma acc loop vector reduction(+:fx, fy, fz)
    for (int j = 0; j < N; j++) {
      double dx = body[j].x - body[i].x, dy = body[j].y - body[i].y, dz = body[j].z - body[i].z;
      double r2 = dx * dx + dy * dy + dz * dz + 0.01, f = body[j].mass / (r2 * sqrt(r2));
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
    }
    force[i][0] = fx * body[i].mass;
    force[i][1] = fy * body[i].mass;
    force[i][2] = fz * body[i].mass;
  }

  for (int d = 0; d < 3; d++) {
    double sum = 0, size = 0;
    for (int i = 0; i < N; i++) {
      sum += force[i][d];
      size += fabs(force[i][d]);
    }
    EXPECT(size > 1, 1);
    NEAR(sum / size, 0, 1e-12);
  }
  return report();
}
