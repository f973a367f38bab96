// Pointers without sections: as much as was allocated, or as the loops of the region reach.
// arc: items>1, gcc-cannot takes such pointers for present
#include "check.h"
#include <stdio.h>
#include <stdlib.h>

struct node {
  int first, edges;
};
static int nodes, edges;
static float *img, *work;
static const int rows = 12, cols = 8;

/* Sizes that are read, one array of structures, a data region around a loop of the host. */
static void breadth_first(void) {
  sscanf("7 9", "%d %d", &nodes, &edges);
  struct node *graph = (struct node *)malloc(sizeof(struct node) * nodes);
  char *mask = (char *)calloc(nodes, sizeof(char)), *next = (char *)calloc(nodes, sizeof(char));
  int *to = (int *)malloc(sizeof(int) * edges);
  int *cost = (int *)malloc(sizeof(int) * nodes);
  for (int i = 0; i < nodes; i++) {
    graph[i].first = i;
    graph[i].edges = i < 6;
    cost[i] = i ? -1 : 0;
  }
  for (int i = 0; i < edges; i++)
    to[i] = (i + 1) % nodes;
  mask[0] = 1;
  int more;
#pragma acc data copyin(graph, to) copy(mask, next, cost)
  do {
    more = 0;
#pragma acc parallel loop
    for (int i = 0; i < nodes; i++)
      if (mask[i]) {
        mask[i] = 0;
        for (int e = graph[i].first; e < graph[i].first + graph[i].edges; e++)
          if (cost[to[e]] < 0) {
            cost[to[e]] = cost[i] + 1;
            next[to[e]] = 1;
          }
      }
#pragma acc parallel loop reduction(| : more)
    for (int i = 0; i < nodes; i++)
      if (next[i]) {
        mask[i] = 1;
        next[i] = 0;
        more |= 1;
      }
  } while (more);
  for (int i = 0; i < nodes; i++)
    EXPECT_AT(i, cost[i], i);
  free(graph);
  free(mask);
  free(next);
  free(to);
  free(cost);
}

static void allocate(void) {
  img = (float *)calloc(rows * cols, sizeof(float));
  work = malloc(96 * sizeof(*work));
}

/* Only the loops tell how much. */
static void twice(float *to, const float *from, int r, int c) {
#pragma acc kernels copyin(from) copy(to)
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++)
      to[i * c + j] = from[i * c + j] * 2;
}

static void shift(float *x, int n) {
#pragma acc parallel loop
  for (int i = n - 2; i >= 0; i--)
    x[i + 1] += 1;
}

int main(void) {
  breadth_first();
  allocate();
  for (int i = 0; i < rows * cols; i++)
    img[i] = i;
#pragma acc data copyin(img) copyout(work)
  {
#pragma acc parallel loop
    for (int i = 0; i < rows * cols; i++)
      work[i] = img[i] + 1;
  }
  twice(img, work, rows, cols);
  shift(img, 96);
  shift(img, 0);
  float *p = img, *q;
  if (posix_memalign((void **)&q, 64, sizeof(float) * 96))
    return 1;
#pragma acc parallel loop
  for (int i = 0; i < 96; i++)
    q[i] = p[i] + work[i];
  for (int i = 0; i < 96; i++)
    NEAR_AT(i, q[i], 3 * (i + 1) + (i > 0), 1e-6);
  int n = 20, m = 10;
  double(*a)[n] = malloc(sizeof(double[m][n]));
  double(*b)[n] = malloc(m * sizeof *b);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = i * j;
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      b[i][j] = a[i][j] + 1;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      NEAR_AT(i, b[i][j], i * j + 1, 1e-12);
  free(a);
  free(b);
  free(q);
  free(img);
  free(work);
  return report();
}
