/* The same by hand: bodies in tiles of group memory, four for each thread; sums of a block's points in group memory. */
#include "../bench.cuh"
#include "points.h"

enum { BLOCK = 256, OWN = 2 };

static __global__ void forces(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                              const float *__restrict__ mass, float *__restrict__ fx, float *__restrict__ fy, float *__restrict__ fz) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * BLOCK * OWN + threadIdx.x;
  float px[OWN], py[OWN], pz[OWN], sx[OWN] = {}, sy[OWN] = {}, sz[OWN] = {};
  for (int o = 0; o < OWN; o++)
    px[o] = x[i + o * BLOCK], py[o] = y[i + o * BLOCK], pz[o] = z[i + o * BLOCK];
  for (int first = 0; first < BODIES; first += BLOCK) {
    int j = first + threadIdx.x;
    tile[threadIdx.x] = make_float4(x[j], y[j], z[j], mass[j]);
    __syncthreads();
#pragma unroll 16
    for (int t = 0; t < BLOCK; t++) {
      float4 other = tile[t];
#pragma unroll
      for (int o = 0; o < OWN; o++) {
        float dx = other.x - px[o], dy = other.y - py[o], dz = other.z - pz[o];
        float root = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), pull = other.w * root * root * root;
        sx[o] += pull * dx, sy[o] += pull * dy, sz[o] += pull * dz;
      }
    }
    __syncthreads();
  }
  for (int o = 0; o < OWN; o++)
    fx[i + o * BLOCK] = sx[o], fy[i + o * BLOCK] = sy[o], fz[i + o * BLOCK] = sz[o];
}

static __global__ void clear(int *counts, float *sums) {
  if (threadIdx.x < CENTRES)
    counts[threadIdx.x] = 0;
  sums[threadIdx.x] = 0;
}

static __global__ void assign(const float *__restrict__ points, const float *__restrict__ centres, int *__restrict__ nearest,
                              int *counts, float *sums) {
  __shared__ float centre[CENTRES][DIMENSIONS], sum[CENTRES][DIMENSIONS];
  __shared__ int count[CENTRES];
  if (threadIdx.x < CENTRES * DIMENSIONS) {
    centre[0][threadIdx.x] = centres[threadIdx.x];
    sum[0][threadIdx.x] = 0;
  }
  if (threadIdx.x < CENTRES)
    count[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < POINTS; i += gridDim.x * BLOCK) {
    float p[DIMENSIONS], least = INFINITY;
    int best = 0;
#pragma unroll
    for (int d = 0; d < DIMENSIONS; d++)
      p[d] = points[(size_t)d * POINTS + i];
#pragma unroll
    for (int c = 0; c < CENTRES; c++) {
      float square = 0;
#pragma unroll
      for (int d = 0; d < DIMENSIONS; d++)
        square += (p[d] - centre[c][d]) * (p[d] - centre[c][d]);
      if (square < least)
        least = square, best = c;
    }
    nearest[i] = best;
    atomicAdd(&count[best], 1);
    for (int d = 0; d < DIMENSIONS; d++)
      atomicAdd(&sum[best][d], p[d]);
  }
  __syncthreads();
  if (threadIdx.x < CENTRES * DIMENSIONS)
    atomicAdd(&sums[threadIdx.x], sum[0][threadIdx.x]);
  if (threadIdx.x < CENTRES)
    atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}

int main() {
  float *x = make(BODIES, 0), *y = make(BODIES, BODIES), *z = make(BODIES, 2 * BODIES), *mass = make(BODIES, 3 * BODIES);
  float *fx = make(BODIES, 0), *points = make((size_t)POINTS * DIMENSIONS, 0), *centres = make(CENTRES * DIMENSIONS, 12345);
  int *nearest = (int *)calloc(POINTS, sizeof(int)), counts[CENTRES];
  float *dx = on_device(x, BODIES), *dy = on_device(y, BODIES), *dz = on_device(z, BODIES), *dmass = on_device(mass, BODIES);
  float *dfx = on_device(fx, BODIES), *dfy = on_device(fx, BODIES), *dfz = on_device(fx, BODIES);
  print_time("nbody", "cuda-tuned", best_of([&] {
               forces<<<BODIES / BLOCK / OWN, BLOCK>>>(dx, dy, dz, dmass, dfx, dfy, dfz);
             }));
  to_host(fx, dfx, BODIES);
  check_forces(x, y, z, mass, fx);
  float *dpoints = on_device(points, (size_t)POINTS * DIMENSIONS), *dcentres = on_device(centres, CENTRES * DIMENSIONS);
  float *sums = on_device(centres, CENTRES * DIMENSIONS);
  int *dnearest = on_device(nearest, POINTS), *dcounts = on_device(nearest, CENTRES);
  print_time("kmeans", "cuda-tuned", best_of([&] {
               clear<<<1, CENTRES * DIMENSIONS>>>(dcounts, sums);
               assign<<<132 * 8, BLOCK>>>(dpoints, dcentres, dnearest, dcounts, sums);
             }));
  to_host(nearest, dnearest, POINTS), to_host(counts, dcounts, CENTRES);
  check_centres(points, centres, nearest, counts);
  return cudaGetLastError() != cudaSuccess;
}
