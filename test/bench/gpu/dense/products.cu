/* The same by hand: blocks of 64 x 64 elements in group memory and 4 x 4 in registers, and a block for each small product. */
#include "../bench.cuh"
#include "products.h"

enum { TILE = 64, DEPTH = 16 };

/* c = a b, or the lower half of a times transposed b. */
template <bool transposed> static __global__ void blocks(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  __shared__ float rows[DEPTH][TILE + 4], columns[DEPTH][TILE + 4];
  int row = blockIdx.y * TILE, column = blockIdx.x * TILE, tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  if (transposed && column > row + TILE - 1)
    return;
  float sum[4][4] = {};
  for (int k = 0; k < N; k += DEPTH) {
    for (int t = threadIdx.x; t < TILE * DEPTH / 4; t += 256) {
      int i = t / (DEPTH / 4), z = t % (DEPTH / 4) * 4;
      float4 p = *(const float4 *)&a[(row + i) * N + k + z];
      rows[z][i] = p.x, rows[z + 1][i] = p.y, rows[z + 2][i] = p.z, rows[z + 3][i] = p.w;
      if (transposed) {
        float4 q = *(const float4 *)&b[(column + i) * N + k + z];
        columns[z][i] = q.x, columns[z + 1][i] = q.y, columns[z + 2][i] = q.z, columns[z + 3][i] = q.w;
      } else {
        int down = t / (TILE / 4), along = t % (TILE / 4) * 4;
        *(float4 *)&columns[down][along] = *(const float4 *)&b[(k + down) * N + column + along];
      }
    }
    __syncthreads();
#pragma unroll
    for (int z = 0; z < DEPTH; z++) {
      float4 p = *(float4 *)&rows[z][ty * 4], q = *(float4 *)&columns[z][tx * 4];
      float left[4] = {p.x, p.y, p.z, p.w}, right[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
          sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (!transposed || column + tx * 4 + j <= row + ty * 4 + i)
        c[(row + ty * 4 + i) * N + column + tx * 4 + j] = sum[i][j];
}

/* 256 threads, each of which has four rows of one column. */
static __global__ void small(const float (*a)[SMALL][SMALL], const float (*b)[SMALL][SMALL], float (*c)[SMALL][SMALL]) {
  __shared__ float left[SMALL][SMALL], right[SMALL][SMALL];
  int n = blockIdx.x, x = threadIdx.x % SMALL, y = threadIdx.x / SMALL;
  ((float4 *)left)[threadIdx.x] = ((const float4 *)a[n])[threadIdx.x];
  ((float4 *)right)[threadIdx.x] = ((const float4 *)b[n])[threadIdx.x];
  __syncthreads();
  float sum[4] = {};
#pragma unroll
  for (int k = 0; k < SMALL; k++)
#pragma unroll
    for (int i = 0; i < 4; i++)
      sum[i] += left[y * 4 + i][k] * right[k][x];
  for (int i = 0; i < 4; i++)
    c[n][y * 4 + i][x] = sum[i];
}

int main() {
  typedef float matrix[SMALL][SMALL];
  size_t n = (size_t)N * N, m = (size_t)BATCH * SMALL * SMALL;
  float *ab = make(3, N, N), *d = make(3, N, N), *s = make(1, N, N), *r = (float *)malloc(m * sizeof *r);
  float *da = on_device(make(0, N, N), n), *db = on_device(make(1, N, N), n), *dc = on_device(make(2, N, N), n);
  float *dab = on_device(ab, n), *dd = on_device(d, n), *ds = on_device(s, n);
  float *p = on_device(make(0, BATCH * SMALL, SMALL), m), *q = on_device(make(1, BATCH * SMALL, SMALL), m), *dr = on_device(r, m);
  dim3 grid(N / TILE, N / TILE);
  print_time("syrk", "cuda-tuned", best_of([&] { blocks<true><<<grid, 256>>>(da, da, ds); }));
  print_time("twomm", "cuda-tuned", best_of([&] { blocks<false><<<grid, 256>>>(da, db, dab), blocks<false><<<grid, 256>>>(dab, dc, dd); }));
  print_time("batch", "cuda-tuned", best_of([&] { small<<<BATCH, 256>>>((matrix *)p, (matrix *)q, (matrix *)dr); }));
  to_host(s, ds, n), to_host(ab, dab, n), to_host(d, dd, n), to_host(r, dr, m);
  check_syrk(s);
  check_twomm(ab, d);
  check_batch(r);
  return cudaGetLastError() != cudaSuccess;
}
