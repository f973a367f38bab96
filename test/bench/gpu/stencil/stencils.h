/* Stencils: their sizes, what the arrays hold before, and sums by which results are compared. */
#ifndef STENCILS_H
#define STENCILS_H
#include "../bench.h"

#define CUBE 512 /* heat: 7 points in three dimensions */
#define SIDE 8192 /* blur, of 5 x 5 points, and wave, of 17 points */
#define FIELD 4096 /* fdtd */
#define STEPS 10 /* of fdtd in one run */

typedef float plane[CUBE][CUBE];
typedef float line[SIDE];
typedef float row[FIELD];

/* Between 0 and 1. */
static inline float point(size_t i) { return (float)((unsigned)(i * 2654435761u) >> 20) / 4096; }

static inline float *make(size_t n) {
  float *a = (float *)malloc(n * sizeof *a);
  for (size_t i = 0; i < n; i++)
    a[i] = point(i);
  return a;
}

static inline float *zeros(size_t n) { return (float *)calloc(n, sizeof(float)); }

static inline void check_heat(const plane *from, const plane *to) {
  for (int i = 1; i < CUBE - 1; i += 17)
    for (int j = 1; j < CUBE - 1; j += 19)
      for (int k = 1; k < CUBE - 1; k++) {
        double sum = (double)from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] + from[i][j + 1][k] +
                     from[i][j][k - 1] + from[i][j][k + 1];
        expect_close("a point of heat", to[i][j][k], 0.4 * from[i][j][k] + 0.1 * sum, 1e-4);
      }
}

static inline void check_blur(const line *from, const line *to) {
  for (int i = 2; i < SIDE - 2; i += 101)
    for (int j = 2; j < SIDE - 2; j++) {
      double sum = 0;
      for (int p = -2; p <= 2; p++)
        for (int q = -2; q <= 2; q++)
          sum += from[i + p][j + q];
      expect_close("a point of blur", to[i][j], sum / 25, 1e-4);
    }
}

static inline double weight(int r) {
  static const double weights[] = {-2.84722, 1.6, -0.2, 0.0253968, -0.00178571};
  return weights[r];
}

/* `before` holds what `after` was. */
static inline void check_wave(const line *now, const line *after) {
  for (int i = 4; i < SIDE - 4; i += 101)
    for (int j = 4; j < SIDE - 4; j++) {
      double sum = 2 * weight(0) * now[i][j];
      for (int r = 1; r <= 4; r++)
        sum += weight(r) * ((double)now[i - r][j] + now[i + r][j] + now[i][j - r] + now[i][j + r]);
      double want = 2 * (double)now[i][j] + 0.1 * sum;
      if (fabs(after[i][j] - want) > 1e-3)
        expect_close("a point of wave", after[i][j], want, 1e-4);
    }
}

/* The same steps on a corner of the field, which the rest of it does not reach. */
static inline void check_fdtd(const row *hz, int steps) {
  enum { corner = 300, checked = 20 };
  double (*x)[corner] = (double(*)[corner])calloc(3 * corner, sizeof *x), (*y)[corner] = x + corner, (*z)[corner] = y + corner;
  for (int i = 0; i < corner; i++)
    for (int j = 0; j < corner; j++)
      z[i][j] = point((size_t)i * FIELD + j);
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < corner; i++)
      for (int j = 0; j < corner; j++)
        y[i][j] -= 0.5 * (z[i][j] - z[i - 1][j]);
    for (int i = 0; i < corner; i++)
      for (int j = 1; j < corner; j++)
        x[i][j] -= 0.5 * (z[i][j] - z[i][j - 1]);
    for (int i = 0; i < corner - 1; i++)
      for (int j = 0; j < corner - 1; j++)
        z[i][j] -= 0.7 * (x[i][j + 1] - x[i][j] + y[i + 1][j] - y[i][j]);
  }
  for (int i = 0; i < checked; i++)
    for (int j = 0; j < checked; j++)
      if (fabs(hz[i][j] - z[i][j]) > 1e-3 * (1 + fabs(z[i][j])))
        expect_close("a point of fdtd", hz[i][j], z[i][j], 1e-3);
  free(x);
}
#endif
