/* Searches in a graph, and a matrix in ELLPACK's form, with OpenACC. */
#include "graph.h"

#define GRAPH present(start[0:VERTICES + 1], to[0:edges])

static void levels(int edges, const int *restrict start, const int *restrict to, int *restrict level) {
#pragma acc parallel loop present(level[0:VERTICES])
  for (int v = 0; v < VERTICES; v++)
    level[v] = v == 0 ? 0 : -1;
  for (int depth = 0, more = 1; more; depth++) {
    more = 0;
#pragma acc parallel loop GRAPH present(level[0:VERTICES]) reduction(|:more)
    for (int v = 0; v < VERTICES; v++)
      if (level[v] == depth)
        for (int e = start[v]; e < start[v + 1]; e++)
          if (level[to[e]] < 0) {
#pragma acc atomic write
            level[to[e]] = depth + 1;
            more |= 1;
          }
  }
}

static void ranks(int edges, const int *restrict start, const int *restrict to, float *restrict rank, float *restrict share) {
#pragma acc parallel loop present(rank[0:VERTICES])
  for (int v = 0; v < VERTICES; v++)
    rank[v] = 1.0f / VERTICES;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
#pragma acc parallel loop GRAPH present(rank[0:VERTICES], share[0:VERTICES])
    for (int v = 0; v < VERTICES; v++)
      share[v] = rank[v] / (float)(start[v + 1] - start[v]);
#pragma acc parallel loop GRAPH present(rank[0:VERTICES], share[0:VERTICES])
    for (int v = 0; v < VERTICES; v++) {
      float sum = 0;
      for (int e = start[v]; e < start[v + 1]; e++)
        sum += share[to[e]];
      rank[v] = 0.15f / VERTICES + 0.85f * sum;
    }
  }
}

static void components(int edges, const int *restrict start, const int *restrict to, int *label, int *next) {
#pragma acc parallel loop present(label[0:VERTICES])
  for (int v = 0; v < VERTICES; v++)
    label[v] = v;
  for (int more = 1; more;) {
    more = 0;
#pragma acc parallel loop GRAPH present(label[0:VERTICES], next[0:VERTICES]) reduction(|:more)
    for (int v = 0; v < VERTICES; v++) {
      int least = label[v];
      for (int e = start[v]; e < start[v + 1]; e++)
        if (label[to[e]] < least)
          least = label[to[e]];
      next[v] = least;
      more |= least < label[v];
    }
    int *old = label;
    label = next;
    next = old;
  }
  /* The last sweep changed nothing: both hold the labels. */
}

static void ell(const int *restrict column, const double *restrict value, const double *restrict x, double *restrict y) {
#pragma acc parallel loop present(column[0:ROWS * WIDTH], value[0:ROWS * WIDTH], x[0:ROWS], y[0:ROWS])
  for (int i = 0; i < ROWS; i++) {
    double sum = 0;
    for (int k = 0; k < WIDTH; k++)
      sum += value[k * ROWS + i] * x[column[k * ROWS + i]];
    y[i] = sum;
  }
}

int main(void) {
  struct graph g = make_graph();
  int *start = g.start, *to = g.to, edges = g.edges;
  int *level = malloc(VERTICES * sizeof *level), *label = malloc(VERTICES * sizeof *label), *next = malloc(VERTICES * sizeof *next);
  float *rank = malloc(VERTICES * sizeof *rank), *share = malloc(VERTICES * sizeof *share);
  int *column = malloc((size_t)ROWS * WIDTH * sizeof *column);
  double *value = malloc((size_t)ROWS * WIDTH * sizeof *value), *x = malloc(ROWS * sizeof *x), *y = malloc(ROWS * sizeof *y);
  for (int i = 0; i < ROWS; i++) {
    x[i] = i % 7;
    for (int k = 0; k < WIDTH; k++)
      column[k * ROWS + i] = column_of(i, k), value[k * ROWS + i] = k % 3 + 1;
  }
  double best[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
#pragma acc data copyin(start[0:VERTICES + 1], to[0:edges], column[0:ROWS * WIDTH], value[0:ROWS * WIDTH], x[0:ROWS]) \
    copyout(level[0:VERTICES], label[0:VERTICES], next[0:VERTICES], rank[0:VERTICES], share[0:VERTICES], y[0:ROWS])
  for (int run = 0; run <= RUNS; run++) {
    double time[5];
#pragma acc wait
    time[0] = milliseconds();
    levels(edges, start, to, level);
#pragma acc wait
    time[1] = milliseconds();
    ranks(edges, start, to, rank, share);
#pragma acc wait
    time[2] = milliseconds();
    components(edges, start, to, label, next);
#pragma acc wait
    time[3] = milliseconds();
    ell(column, value, x, y);
#pragma acc wait
    time[4] = milliseconds();
    for (int n = 0; run > 0 && n < 4; n++)
      best[n] = fmin(best[n], time[n + 1] - time[n]);
  }
  check_levels(g, level);
  check_ranks(g, rank);
  check_labels(g, label);
  check_ell(x, y);
  print_time("bfs", "openacc", best[0]);
  print_time("pagerank", "openacc", best[1]);
  print_time("components", "openacc", best[2]);
  print_time("ell", "openacc", best[3]);
  return 0;
}
