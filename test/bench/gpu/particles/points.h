/* Bodies that attract each other, and points that gather around centres. */
#ifndef POINTS_H
#define POINTS_H
#include "../bench.h"

#define BODIES 65536
#define POINTS (1 << 23)
#define DIMENSIONS 4
#define CENTRES 16

/* Between 0 and 1. */
static inline float number(size_t i) { return (float)((unsigned)(i * 2654435761u) >> 20) / 4096; }

static inline float *make(size_t n, size_t first) {
  float *a = (float *)malloc(n * sizeof *a);
  for (size_t i = 0; i < n; i++)
    a[i] = number(first + i);
  return a;
}

static inline void check_forces(const float *x, const float *y, const float *z, const float *mass, const float *fx) {
  for (int i = 0; i < BODIES; i += 4099) {
    double sum = 0, size = 0;
    for (int j = 0; j < BODIES; j++) {
      double dx = (double)x[j] - x[i], dy = (double)y[j] - y[i], dz = (double)z[j] - z[i];
      double square = dx * dx + dy * dy + dz * dz + 1e-3, force = mass[j] / (square * sqrt(square)) * dx;
      sum += force, size += fabs(force);
    }
    if (fabs(fx[i] - sum) > 1e-4 * size)
      expect_close("a force", fx[i], sum, 1e-4);
  }
}

/* Each point is with the nearest of the centres, and the counts say so. */
static inline void check_centres(const float *points, const float *centres, const int *nearest, const int *counts) {
  int seen[CENTRES] = {0};
  for (int i = 0; i < POINTS; i++) {
    double best = INFINITY, own = 0;
    for (int c = 0; i % 101 == 0 && c < CENTRES; c++) {
      double square = 0;
      for (int d = 0; d < DIMENSIONS; d++) {
        double way = (double)points[d * (size_t)POINTS + i] - centres[c * DIMENSIONS + d];
        square += way * way;
      }
      best = fmin(best, square);
      own = c == nearest[i] ? square : own;
    }
    if (i % 101 == 0 && own > best + 1e-5)
      expect_close("the distance of a point", own, best, 1e-5);
    seen[nearest[i]]++;
  }
  for (int c = 0; c < CENTRES; c++)
    expect_close("the points of a centre", counts[c], seen[c], 0);
}
#endif
