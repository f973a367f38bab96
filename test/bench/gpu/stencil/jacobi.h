/* The plate of the Jacobi bench: hot at the upper edge. Both programs check the point below it after their runs. */
#ifndef JACOBI_H
#define JACOBI_H
#include "../bench.h"

static inline float *make_plate(int n) {
  float *plate = (float *)calloc((size_t)n * n, sizeof *plate);
  for (int j = 0; j < n; j++)
    plate[j] = 100;
  return plate;
}

/* Far from the left and right edges the plate depends on the row alone: relax one column. */
static inline void check_plate(int n, int pairs, const float *plate) {
  double *column = (double *)calloc(n, sizeof *column), *next = (double *)calloc(n, sizeof *next);
  column[0] = next[0] = 100;
  for (int k = 0; k < pairs; k++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.25 * (column[i - 1] + column[i + 1] + 2 * column[i]);
    for (int i = 1; i < n - 1; i++)
      column[i] = next[i];
  }
  for (int i = 1; i < 5 && i < n; i++)
    expect_close("plate", plate[(size_t)i * n + n / 2], column[i], 1e-4);
  free(column);
  free(next);
}
#endif
