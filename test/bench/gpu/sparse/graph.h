/* A graph of random edges, both ways, in compressed rows: its making, and what its searches must find. */
#ifndef GRAPH_H
#define GRAPH_H
#include "../bench.h"

#define VERTICES (1 << 21)
#define DEGREE 16 /* on average */
#define SWEEPS 10 /* of PageRank in one run */
#define ROWS (1 << 22) /* of the ELLPACK matrix */
#define WIDTH 16

struct graph {
  int *start, *to, edges;
};

static inline unsigned random_next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static inline struct graph make_graph(void) {
  int pairs = VERTICES / 2 * DEGREE;
  struct graph g = {(int *)calloc(VERTICES + 1, sizeof(int)), (int *)malloc(2l * pairs * sizeof(int)), 2 * pairs};
  int *ends = (int *)malloc(2l * pairs * sizeof(int)), *filled = (int *)malloc(VERTICES * sizeof(int));
  unsigned state = 7;
  for (long e = 0; e < 2l * pairs; e++) {
    ends[e] = (int)(random_next(&state) % VERTICES);
    g.start[ends[e] + 1]++;
  }
  for (int v = 0; v < VERTICES; v++) {
    g.start[v + 1] += g.start[v];
    filled[v] = g.start[v];
  }
  for (long e = 0; e < 2l * pairs; e += 2) {
    g.to[filled[ends[e]]++] = ends[e + 1];
    g.to[filled[ends[e + 1]]++] = ends[e];
  }
  free(ends), free(filled);
  return g;
}

/* Distances from vertex 0, or -1. */
static inline void check_levels(struct graph g, const int *level) {
  int *queue = (int *)malloc(VERTICES * sizeof(int)), *want = (int *)malloc(VERTICES * sizeof(int)), head = 0, tail = 0;
  for (int v = 0; v < VERTICES; v++)
    want[v] = -1;
  want[0] = 0, queue[tail++] = 0;
  while (head < tail) {
    int v = queue[head++];
    for (int e = g.start[v]; e < g.start[v + 1]; e++)
      if (want[g.to[e]] < 0)
        want[g.to[e]] = want[v] + 1, queue[tail++] = g.to[e];
  }
  for (int v = 0; v < VERTICES; v++)
    expect_close("a level", level[v], want[v], 0);
  free(queue), free(want);
}

/* Neighbours have one label, and it is of the component's first vertex. */
static inline void check_labels(struct graph g, const int *label) {
  for (int v = 0; v < VERTICES; v++) {
    if (label[v] > v || label[label[v]] != label[v])
      expect_close("a label", label[v], v, 0);
    for (int e = g.start[v]; e < g.start[v + 1]; e++)
      expect_close("a neighbour's label", label[g.to[e]], label[v], 0);
  }
}

static inline void check_ranks(struct graph g, const float *rank) {
  double sum = 0, lost = 0;
  for (int v = 0; v < VERTICES; v++) {
    sum += rank[v];
    lost += g.start[v] == g.start[v + 1];
  }
  if (lost == 0)
    expect_close("the sum of ranks", sum, 1, 1e-3);
  if (sum < 0.5 || sum > 1.001)
    expect_close("the sum of ranks", sum, 1, 1e-3);
}

/* ELLPACK: element k of all rows, then element k + 1 of all. */
static inline int column_of(int row, int k) { return (int)(((long)row + (k * k + 1) * 97L) % ROWS); }

static inline void check_ell(const double *x, const double *y) {
  for (int i = 0; i < ROWS; i += 101) {
    double sum = 0;
    for (int k = 0; k < WIDTH; k++)
      sum += (double)(k % 3 + 1) * x[column_of(i, k)];
    expect_close("an element of the product", y[i], sum, 1e-12);
  }
}
#endif
