/* The sum of many floats by hand in two stages, and by CUB. */
#include "sum.h"
#include <cub/device/device_reduce.cuh>

#define THREADS 512

/* The sum over the block, in its first thread. */
static __device__ float block_sum(float sum) {
  __shared__ float warps[THREADS / 32];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = threadIdx.x < THREADS / 32 ? warps[threadIdx.x] : 0;
  if (threadIdx.x < 32)
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_down_sync(~0u, sum, step);
  return sum;
}

static __global__ void partial_sums(long n, const float *__restrict__ x, float *__restrict__ partial) {
  const float4 *x4 = (const float4 *)x;
  float sum = 0;
  long first = (long)blockIdx.x * THREADS + threadIdx.x, stride = (long)gridDim.x * THREADS;
  for (long i = first; i < n / 4; i += stride) {
    float4 v = x4[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (first < n % 4)
    sum += x[n / 4 * 4 + first];
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sum;
}

static __global__ void final_sum(int n, const float *__restrict__ partial, float *__restrict__ result) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += THREADS)
    sum += partial[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    *result = sum;
}

template <typename Launch> static double best_of(long n, const float *result, Launch launch) {
  double best = INFINITY;
  float sum = 0;
  for (int run = 0; run <= RUNS; run++) {
    double start = milliseconds();
    launch();
    cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost);
    if (run > 0)
      best = fmin(best, milliseconds() - start);
  }
  check_sum(n, sum);
  return best;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1L << 27;
  float *host = make_numbers(n), *x, *partial, *result;
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  int blocks = 8 * processors;
  cudaMalloc(&x, n * sizeof *x);
  cudaMalloc(&partial, blocks * sizeof *partial);
  cudaMalloc(&result, sizeof *result);
  cudaMemcpy(x, host, n * sizeof *x, cudaMemcpyHostToDevice);

  print_time("sum", "cuda", best_of(n, result, [&] {
               partial_sums<<<blocks, THREADS>>>(n, x, partial);
               final_sum<<<1, THREADS>>>(blocks, partial, result);
             }));

  void *scratch = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(scratch, bytes, x, result, n);
  cudaMalloc(&scratch, bytes);
  print_time("sum", "cuda-cub", best_of(n, result, [&] { cub::DeviceReduce::Sum(scratch, bytes, x, result, n); }));

  cudaFree(scratch);
  cudaFree(x);
  cudaFree(partial);
  cudaFree(result);
  free(host);
  return 0;
}
