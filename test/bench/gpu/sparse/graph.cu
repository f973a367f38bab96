/*
 * The same by hand: levels from queues of vertices whose neighbours a warp shares out, ranks and labels with eight
 * lanes for each vertex, ELLPACK with a thread for each row.
 */
#include "../bench.cuh"
#include "graph.h"

enum { LANES = 8, BLOCK = 256 };

static __global__ void first_level(int *level, int *queue, int *counts) {
  int v = blockIdx.x * BLOCK + threadIdx.x;
  level[v] = v == 0 ? 0 : -1;
  if (v == 0)
    queue[0] = 0, counts[0] = 1, counts[1] = 0;
}

static __global__ void next_level(const int *__restrict__ start, const int *__restrict__ to, int *__restrict__ level,
                                  const int *__restrict__ queue, int *__restrict__ found, const int *count, int *more, int depth) {
  int lane = threadIdx.x % LANES, groups = gridDim.x * (BLOCK / LANES);
  for (int q = (blockIdx.x * BLOCK + threadIdx.x) / LANES; q < *count; q += groups) {
    int v = queue[q];
    for (int e = start[v] + lane; e < start[v + 1]; e += LANES) {
      int w = to[e];
      if (level[w] < 0 && atomicCAS(&level[w], -1, depth + 1) == -1)
        found[atomicAdd(more, 1)] = w;
    }
  }
}

static __global__ void first_rank(float *rank) { rank[blockIdx.x * BLOCK + threadIdx.x] = 1.0f / VERTICES; }

static __global__ void shares(const int *__restrict__ start, const float *__restrict__ rank, float *__restrict__ share) {
  int v = blockIdx.x * BLOCK + threadIdx.x;
  share[v] = rank[v] / (float)(start[v + 1] - start[v]);
}

static __global__ void sweep(const int *__restrict__ start, const int *__restrict__ to, const float *__restrict__ share,
                             float *__restrict__ rank) {
  int v = (blockIdx.x * BLOCK + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
  float sum = 0;
  for (int e = start[v] + lane, end = start[v + 1]; e < end; e += LANES)
    sum += __ldg(&share[to[e]]);
  for (int step = LANES / 2; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step, LANES);
  if (lane == 0)
    rank[v] = 0.15f / VERTICES + 0.85f * sum;
}

static __global__ void first_label(int *label) {
  int v = blockIdx.x * BLOCK + threadIdx.x;
  label[v] = v;
}

static __global__ void spread(const int *__restrict__ start, const int *__restrict__ to, const int *__restrict__ label,
                              int *__restrict__ next, int *more) {
  int v = (blockIdx.x * BLOCK + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
  int own = label[v], least = own;
  for (int e = start[v] + lane, end = start[v + 1]; e < end; e += LANES)
    least = min(least, __ldg(&label[to[e]]));
  for (int step = LANES / 2; step > 0; step /= 2)
    least = min(least, __shfl_down_sync(~0u, least, step, LANES));
  if (lane == 0)
    next[v] = least;
  if (__syncthreads_or(lane == 0 && least < own) && threadIdx.x == 0)
    *more = 1;
}

static __global__ void ell(const int *__restrict__ column, const double *__restrict__ value, const double *__restrict__ x,
                           double *__restrict__ y) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  double sum = 0;
#pragma unroll
  for (int k = 0; k < WIDTH; k++)
    sum += value[k * ROWS + i] * __ldg(&x[column[k * ROWS + i]]);
  y[i] = sum;
}

int main() {
  struct graph g = make_graph();
  int *level = (int *)malloc(VERTICES * sizeof(int)), *label = (int *)malloc(VERTICES * sizeof(int));
  float *rank = (float *)malloc(VERTICES * sizeof(float));
  int *start = on_device(g.start, VERTICES + 1), *to = on_device(g.to, g.edges);
  int *dlevel = on_device(level, VERTICES), *da = on_device(level, VERTICES), *db = on_device(level, VERTICES), *counts;
  float *drank = on_device(rank, VERTICES), *share = on_device(rank, VERTICES);
  cudaMalloc(&counts, 64 * sizeof(int));
  int blocks = VERTICES / BLOCK, many = VERTICES / (BLOCK / LANES);
  print_time("bfs", "cuda-tuned", best_of([&] {
               first_level<<<blocks, BLOCK>>>(dlevel, da, counts);
               int *now = da, *then = db;
               for (int depth = 0, count = 1; count > 0; depth++) {
                 cudaMemsetAsync(counts + (depth + 1) % 2, 0, sizeof(int));
                 int needed = (count + BLOCK / LANES - 1) / (BLOCK / LANES);
                 next_level<<<needed, BLOCK>>>(start, to, dlevel, now, then, counts + depth % 2, counts + (depth + 1) % 2, depth);
                 cudaMemcpy(&count, counts + (depth + 1) % 2, sizeof count, cudaMemcpyDeviceToHost);
                 int *swap = now;
                 now = then, then = swap;
               }
             }));
  to_host(level, dlevel, VERTICES);
  print_time("pagerank", "cuda-tuned", best_of([&] {
               first_rank<<<blocks, BLOCK>>>(drank);
               for (int n = 0; n < SWEEPS; n++) {
                 shares<<<blocks, BLOCK>>>(start, drank, share);
                 sweep<<<many, BLOCK>>>(start, to, share, drank);
               }
             }));
  to_host(rank, drank, VERTICES);
  print_time("components", "cuda-tuned", best_of([&] {
               first_label<<<blocks, BLOCK>>>(da);
               int *now = da, *then = db;
               for (int more = 1; more;) {
                 cudaMemsetAsync(counts, 0, sizeof(int));
                 spread<<<many, BLOCK>>>(start, to, now, then, counts);
                 cudaMemcpy(&more, counts, sizeof more, cudaMemcpyDeviceToHost);
                 int *swap = now;
                 now = then, then = swap;
               }
             }));
  to_host(label, da, VERTICES);
  check_levels(g, level);
  check_ranks(g, rank);
  check_labels(g, label);
  int *column = (int *)malloc((size_t)ROWS * WIDTH * sizeof *column);
  double *value = (double *)malloc((size_t)ROWS * WIDTH * sizeof *value);
  double *x = (double *)malloc(ROWS * sizeof *x), *y = (double *)malloc(ROWS * sizeof *y);
  for (int i = 0; i < ROWS; i++) {
    x[i] = i % 7;
    for (int k = 0; k < WIDTH; k++)
      column[k * ROWS + i] = column_of(i, k), value[k * ROWS + i] = k % 3 + 1;
  }
  int *dcolumn = on_device(column, (size_t)ROWS * WIDTH);
  double *dvalue = on_device(value, (size_t)ROWS * WIDTH), *dx = on_device(x, ROWS), *dy = on_device(y, ROWS);
  print_time("ell", "cuda-tuned", best_of([&] { ell<<<ROWS / BLOCK, BLOCK>>>(dcolumn, dvalue, dx, dy); }));
  to_host(y, dy, ROWS);
  check_ell(x, y);
  return cudaGetLastError() != cudaSuccess;
}
