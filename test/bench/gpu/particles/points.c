/* All pairs of bodies, and one step of k-means, with OpenACC. */
#include "points.h"

static void forces(const float *restrict x, const float *restrict y, const float *restrict z, const float *restrict mass,
                   float *restrict fx, float *restrict fy, float *restrict fz) {
#pragma acc parallel loop present(x[0:BODIES], y[0:BODIES], z[0:BODIES], mass[0:BODIES]) \
    present(fx[0:BODIES], fy[0:BODIES], fz[0:BODIES])
  for (int i = 0; i < BODIES; i++) {
    float sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < BODIES; j++) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      float square = dx * dx + dy * dy + dz * dz + 1e-3f, root = 1 / sqrtf(square);
      float pull = mass[j] * root * root * root;
      sx += pull * dx;
      sy += pull * dy;
      sz += pull * dz;
    }
    fx[i] = sx;
    fy[i] = sy;
    fz[i] = sz;
  }
}

static void assign(const float *restrict points, const float *restrict centres, int *restrict nearest, int *restrict counts,
                   float *restrict sums) {
#pragma acc parallel loop present(counts[0:CENTRES], sums[0:CENTRES * DIMENSIONS])
  for (int c = 0; c < CENTRES; c++) {
    counts[c] = 0;
    for (int d = 0; d < DIMENSIONS; d++)
      sums[c * DIMENSIONS + d] = 0;
  }
#pragma acc parallel loop present(points[0:POINTS * DIMENSIONS], centres[0:CENTRES * DIMENSIONS], nearest[0:POINTS]) \
    present(counts[0:CENTRES], sums[0:CENTRES * DIMENSIONS])
  for (int i = 0; i < POINTS; i++) {
    int best = 0;
    float least = INFINITY;
    for (int c = 0; c < CENTRES; c++) {
      float square = 0;
      for (int d = 0; d < DIMENSIONS; d++) {
        float way = points[d * POINTS + i] - centres[c * DIMENSIONS + d];
        square += way * way;
      }
      if (square < least)
        least = square, best = c;
    }
    nearest[i] = best;
#pragma acc atomic update
    counts[best]++;
    for (int d = 0; d < DIMENSIONS; d++)
#pragma acc atomic update
      sums[best * DIMENSIONS + d] += points[d * POINTS + i];
  }
}

int main(void) {
  float *x = make(BODIES, 0), *y = make(BODIES, BODIES), *z = make(BODIES, 2 * BODIES), *mass = make(BODIES, 3 * BODIES);
  float *fx = make(BODIES, 0), *fy = make(BODIES, 0), *fz = make(BODIES, 0);
  float *points = make((size_t)POINTS * DIMENSIONS, 0), *centres = make(CENTRES * DIMENSIONS, 12345);
  float *sums = make(CENTRES * DIMENSIONS, 0);
  int *nearest = calloc(POINTS, sizeof *nearest), *counts = calloc(CENTRES, sizeof *counts);
  double best[2] = {INFINITY, INFINITY};
#pragma acc data copyin(x[0:BODIES], y[0:BODIES], z[0:BODIES], mass[0:BODIES], points[0:POINTS * DIMENSIONS]) \
    copyin(centres[0:CENTRES * DIMENSIONS]) copyout(fx[0:BODIES], fy[0:BODIES], fz[0:BODIES]) \
    copyout(nearest[0:POINTS], counts[0:CENTRES], sums[0:CENTRES * DIMENSIONS])
  for (int run = 0; run <= RUNS; run++) {
#pragma acc wait
    double start = milliseconds();
    forces(x, y, z, mass, fx, fy, fz);
#pragma acc wait
    double middle = milliseconds();
    assign(points, centres, nearest, counts, sums);
#pragma acc wait
    double end = milliseconds();
    if (run == 0)
      continue;
    best[0] = fmin(best[0], middle - start);
    best[1] = fmin(best[1], end - middle);
  }
  check_forces(x, y, z, mass, fx);
  check_centres(points, centres, nearest, counts);
  print_time("nbody", "openacc", best[0]);
  print_time("kmeans", "openacc", best[1]);
  return 0;
}
