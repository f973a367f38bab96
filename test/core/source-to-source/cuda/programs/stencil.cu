/* A stencil of five points over a plane, its weights in constant memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE 8
#define AT(i, j) ((i) * width + (j))

__constant__ float weight[3];

__device__ float blend(float middle, float sides, float ends)
{
  return weight[0] * middle + weight[1] * sides + weight[2] * ends;
}

__global__ void step(const float *from, float *to, int width, int height)
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  // The frame stays.
  if (i < 1 || j < 1 || i >= height - 1 || j >= width - 1) return;
  to[AT(i, j)] = blend(from[AT(i, j)], from[AT(i, j - 1)] + from[AT(i, j + 1)],
                       from[AT(i - 1, j)] + from[AT(i + 1, j)]);
}

/* The same with a tile in shared memory: each thread brings one element. */
__global__ void step_tiled(const float *from, float *to, int width, int height)
{
  __shared__ float tile[TILE + 2][TILE + 2];
  int tx = threadIdx.x, ty = threadIdx.y;
  int j = blockIdx.x * TILE + tx;
  int i = blockIdx.y * TILE + ty;
  int inside = i < height && j < width;
  tile[ty + 1][tx + 1] = inside ? from[AT(i, j)] : 0;
  if (tx == 0) tile[ty + 1][0] = inside && j > 0 ? from[AT(i, j - 1)] : 0; // left
  if (tx == TILE - 1) tile[ty + 1][TILE + 1] = inside && j + 1 < width ? from[AT(i, j + 1)] : 0;
  if (ty == 0) tile[0][tx + 1] = inside && i > 0 ? from[AT(i - 1, j)] : 0;
  if (ty == TILE - 1) tile[TILE + 1][tx + 1] = inside && i + 1 < height ? from[AT(i + 1, j)] : 0;
  __syncthreads();
  if (i >= 1 && j >= 1 && i < height - 1 && j < width - 1)
    to[AT(i, j)] = blend(tile[ty + 1][tx + 1], tile[ty + 1][tx] + tile[ty + 1][tx + 2],
                         tile[ty][tx + 1] + tile[ty + 2][tx + 1]);
}

int main(void)
{
  int width = 21, height = 19;
  size_t bytes = (size_t)width * height * sizeof(float);
  float *plane = (float *)malloc(bytes), *a, *b;
  float w[3] = {0.5f, 0.125f, 0.0625f};
  for (int i = 0; i < width * height; i++) plane[i] = (i * 7) % 11;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemset(b, 0, bytes);
  cudaMemcpyToSymbol(weight, w, sizeof w);
  cudaMemcpy(a, plane, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice);
  dim3 block(TILE, TILE);
  dim3 grid((width + block.x - 1) / block.x, (height + TILE - 1) / TILE);
  for (int t = 0; t < 2; t++) {
    step<<<grid, block>>>(a, b, width, height);
    step_tiled<<<grid, block>>>(b, a, width, height);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(plane, a, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < width * height; i++) sum += plane[i] * (i % 3 + 1);
  printf("%.3f\n", sum);
  return 0;
}
