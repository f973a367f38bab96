/* The same by hand: a thread for each element of the result, then with the memory read side by side by all threads. */
#include "../bench.cuh"
#include "matvec.h"

static __global__ void rows_naive(int n, const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = 0; j < n; j++)
    sum += a[(long)i * n + j] * x[j];
  y[i] = sum;
}

static __global__ void columns_naive(int n, const float *__restrict__ a, const float *__restrict__ y, float *__restrict__ z) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n)
    return;
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[(long)i * n + j] * y[i];
  z[j] = sum;
}

/* A block for each row, four elements at a time. */
static __global__ void rows_tuned(int n, const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float part[8];
  const float4 *row = (const float4 *)(a + (long)blockIdx.x * n);
  const float4 *vector = (const float4 *)x;
  float sum = 0;
#pragma unroll 4
  for (int j = threadIdx.x; j < n / 4; j += 256) {
    float4 p = row[j], q = vector[j];
    sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < 8; warp++)
      sum += part[warp];
    y[blockIdx.x] = sum;
  }
}

/* 32 columns for each block of 32 warps, which take every 32nd row. */
static __global__ void columns_tuned(int n, const float *__restrict__ a, const float *__restrict__ y, float *__restrict__ z) {
  __shared__ float part[32][33];
  int j = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
#pragma unroll 8
  for (int i = threadIdx.y; i < n; i += 32)
    sum += a[(long)i * n + j] * y[i];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  sum = part[threadIdx.x][threadIdx.y];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0)
    z[blockIdx.x * 32 + threadIdx.y] = sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4096; /* a multiple of 32 */
  size_t bytes = (size_t)n * n * sizeof(float), length = n * sizeof(float);
  float *a = make_matrix(n), *x = make_vector(n), *y = (float *)malloc(length), *z = (float *)malloc(length);
  float *da, *dx, *dy, *dz;
  cudaMalloc(&da, bytes), cudaMalloc(&dx, length), cudaMalloc(&dy, length), cudaMalloc(&dz, length);
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice), cudaMemcpy(dx, x, length, cudaMemcpyHostToDevice);
  int blocks = (n + 255) / 256;
  print_time("rows", "cuda-naive", best_of([&] { rows_naive<<<blocks, 256>>>(n, da, dx, dy); }));
  print_time("columns", "cuda-naive", best_of([&] { columns_naive<<<blocks, 256>>>(n, da, dy, dz); }));
  cudaMemset(dy, 0xff, length), cudaMemset(dz, 0xff, length);
  print_time("rows", "cuda-tuned", best_of([&] { rows_tuned<<<n, 256>>>(n, da, dx, dy); }));
  print_time("columns", "cuda-tuned", best_of([&] { columns_tuned<<<n / 32, dim3(32, 32)>>>(n, da, dy, dz); }));
  cudaMemcpy(y, dy, length, cudaMemcpyDeviceToHost), cudaMemcpy(z, dz, length, cudaMemcpyDeviceToHost);
  check_matvec(n, y, z);
  return cudaGetLastError() != cudaSuccess;
}
