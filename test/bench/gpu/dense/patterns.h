/* Loops whose accesses cross, share rows, or choose their rows by an index: sizes, inputs and checks. */
#ifndef PATTERNS_H
#define PATTERNS_H
#include "../bench.h"

enum {
  SIDE = 4096,    /* of square matrices */
  ROW = 1024,     /* elements of a row of `softmax` */
  BLOCK = 128,    /* side of the cube of `contract` */
  BINS = 64,      /* of each axis of `pairs` */
  PAIRS = 1 << 23,
  CELLS = 1 << 20, /* each with VALUES values and FACES neighbours */
  VALUES = 5,
  FACES = 4
};

/* From -0.5 up to 0.5. */
static inline float number(unsigned long i) { return (float)((i * 2654435761u >> 8 & 0xffff) / 65536.0 - 0.5); }

static inline float *make_numbers(size_t n, unsigned seed) {
  float *a = (float *)malloc(n * sizeof *a);
  for (size_t i = 0; i < n; i++)
    a[i] = number(i + seed);
  return a;
}

static inline int neighbour(int cell, int face) {
  static const int apart[FACES] = {-1, 1, -1000, 1000};
  int other = cell + apart[face];
  return other < 0 || other >= CELLS ? cell : other;
}

static inline int *make_neighbours(void) {
  int *to = (int *)malloc((size_t)CELLS * FACES * sizeof *to);
  for (int i = 0; i < CELLS; i++)
    for (int k = 0; k < FACES; k++)
      to[i * FACES + k] = neighbour(i, k);
  return to;
}

static inline void check_transpose(const float *a, const float *b) {
  for (long i = 0; i < SIDE; i += 61)
    for (long j = 0; j < SIDE; j++)
      expect_close("an element of the transposed matrix", b[j * SIDE + i], a[i * SIDE + j], 0);
}

static inline void check_softmax(const float *a, const float *b) {
  for (long i = 0; i < SIDE; i += 61) {
    double sum = 0;
    for (long j = 0; j < ROW; j++)
      sum += exp(a[i * ROW + j]);
    for (long j = 0; j < ROW; j++)
      expect_close("an element of softmax", b[i * ROW + j], exp(a[i * ROW + j]) / sum, 1e-4);
  }
}

/* `start`: the cube before, of which one row is tried. */
static inline void check_contract(const float *start, const float *weights, const float *sums) {
  for (long p = 0; p < BLOCK; p++) {
    double sum = 0, size = 0;
    for (long s = 0; s < BLOCK; s++) {
      sum += (double)start[s] * weights[s * BLOCK + p];
      size += fabs((double)start[s] * weights[s * BLOCK + p]);
    }
    if (fabs(sum - sums[p]) > 1e-5 * size)
      expect_close("an element of the contraction", sums[p], sum, 1e-5);
  }
}

static inline void check_pairs(const float *x, const float *y, const float *counts, int times) {
  double *want = (double *)calloc(BINS * BINS, sizeof *want);
  for (long i = 0; i < PAIRS; i++)
    want[(int)((x[i] + 0.5f) * (BINS - 0.1f)) * BINS + (int)((y[i] + 0.5f) * (BINS - 0.1f))]++;
  for (int k = 0; k < BINS * BINS; k++)
    expect_close("a bin", counts[k], want[k] * times, 0);
  free(want);
}

static inline void check_sweep(const float *a, const float *x, const float *start, int times) {
  for (long i = 0; i < SIDE; i += 509) {
    float *row = (float *)malloc(SIDE * sizeof *row);
    for (long j = 0; j < SIDE; j++)
      row[j] = start[i * SIDE + j];
    for (int t = 0; t < times; t++)
      for (long j = 1; j < SIDE; j++)
        row[j] -= row[j - 1] * a[i * SIDE + j] * 0.1f;
    for (long j = 0; j < SIDE; j++)
      if (fabs(row[j] - x[i * SIDE + j]) > 1e-5)
        expect_close("an element of a sweep", x[i * SIDE + j], row[j], 1e-5);
    free(row);
  }
}

static inline void check_cells(const float *u, const float *f) {
  for (long i = 0; i < CELLS; i += 101)
    for (int c = 0; c < VALUES; c++) {
      double sum = 0;
      for (int k = 0; k < FACES; k++)
        sum += 0.25 * (u[neighbour((int)i, k) * VALUES + c] - u[i * VALUES + c]);
      if (fabs(sum - f[i * VALUES + c]) > 1e-6)
        expect_close("a value of a cell", f[i * VALUES + c], sum, 1e-6);
    }
}
#endif
