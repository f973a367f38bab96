/* The product of two square matrices by hand: one thread per element, plainly and with tiles in shared memory. */
#include "../bench.cuh"
#include "matmul.h"

#define TILE 32

static __global__ void naive(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

static __global__ void tiled(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  __shared__ float at[TILE][TILE], bt[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * TILE + x, i = blockIdx.y * TILE + y;
  float sum = 0;
  for (int from = 0; from < n; from += TILE) {
    at[y][x] = i < n && from + x < n ? a[i * n + from + x] : 0;
    bt[y][x] = from + y < n && j < n ? b[(from + y) * n + j] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += at[y][k] * bt[k][x];
    __syncthreads();
  }
  if (i < n && j < n)
    c[i * n + j] = sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2048;
  size_t bytes = (size_t)n * n * sizeof(float);
  float *host_a = make_matrix(n, a_at), *host_b = make_matrix(n, b_at), *host_c = (float *)malloc(bytes), *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, host_a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host_b, bytes, cudaMemcpyHostToDevice);

  dim3 wide(32, 8), wide_grid((n + 31) / 32, (n + 7) / 8);
  print_time("matmul", "cuda", best_of([&] { naive<<<wide_grid, wide>>>(n, a, b, c); }));
  cudaMemcpy(host_c, c, bytes, cudaMemcpyDeviceToHost);
  check_product(n, host_c);

  dim3 square(TILE, TILE), square_grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  cudaMemset(c, 0, bytes);
  print_time("matmul", "cuda-tiled", best_of([&] { tiled<<<square_grid, square>>>(n, a, b, c); }));
  cudaMemcpy(host_c, c, bytes, cudaMemcpyDeviceToHost);
  check_product(n, host_c);

  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  free(host_a);
  free(host_b);
  free(host_c);
  return 0;
}
