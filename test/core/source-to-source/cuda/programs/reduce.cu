#include <stdio.h>
#include <cuda_runtime.h>
#define THREADS 32

__global__ void sum_of_blocks(const int *in, int *out, int n)
{
  __shared__ int part[THREADS];
  unsigned tid = threadIdx.x;
  int own = 0;
  // Each thread its share.
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x)
    own += in[i];
  part[tid] = own;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
    if (tid < half)
      part[tid] += part[tid + half];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = part[0];
}

__constant__ int offset;
__device__ int ends;

/* By atomic additions, and a thread's own value that lives over a barrier. */
__global__ void histogram(const int *in, int *bins, int n)
{
  __shared__ int own[10];
  int mine = 0, from, step = 1;
  if (threadIdx.x < 10) own[threadIdx.x] = 0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  from = i + 1;
  if (i < n) mine = in[from - step];
  __syncthreads();
  if (i < n) atomicAdd(&own[mine % 10], 1);
  if (from == n) atomicAdd(&ends, from + offset);
  __syncthreads();
  if (threadIdx.x < 10)
    atomicAdd(bins + threadIdx.x, own[threadIdx.x]);
}

__global__ void scan_steps(int *data)
{
  __shared__ int a[THREADS], b[THREADS];
  int t = threadIdx.x;
  a[t] = data[blockIdx.x * blockDim.x + t];
  __syncthreads();
  int distance = 1;
  while (distance < THREADS) {
    b[t] = a[t] + (t >= distance ? a[t - distance] : 0);
    __syncthreads();
    a[t] = b[t];
    distance *= 2;
    __syncthreads();
  }
  data[blockIdx.x * blockDim.x + t] = a[t];
}

int main(void)
{
  enum { n = 1000, blocks = 6 };
  static int in[n], out[blocks], bins[10], scan[2 * THREADS];
  int *d_in, *d_out, *d_bins, *d_scan, sum = 0, all = 5;
  for (int i = 0; i < n; i++) in[i] = (i * 37) % 101;
  for (int i = 0; i < 2 * THREADS; i++) scan[i] = i % 5;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_bins, sizeof bins);
  cudaMalloc(&d_scan, sizeof scan);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(d_scan, scan, sizeof scan, cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, sizeof bins);
  cudaMemcpyToSymbol(offset, &all, sizeof all);
  cudaMemcpyToSymbol(ends, &sum, sizeof sum);
  sum_of_blocks<<<blocks, THREADS>>>(d_in, d_out, n);
  histogram<<<(n + THREADS - 1) / THREADS, THREADS>>>(d_in, d_bins, n);
  scan_steps<<<2, THREADS>>>(d_scan);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
  cudaMemcpy(scan, d_scan, sizeof scan, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&all, ends, sizeof all);
  printf("%d\n", all);
  all = 0;
  for (int i = 0; i < blocks; i++) sum += out[i];
  for (int i = 0; i < n; i++) all += in[i];
  printf("%d %d\n", sum, all);
  for (int i = 0; i < 10; i++) printf("%d ", bins[i]);
  for (int i = 0; i < 2 * THREADS; i += 7) printf("%d ", scan[i]);
  printf("\n");
  return sum != all;
}
