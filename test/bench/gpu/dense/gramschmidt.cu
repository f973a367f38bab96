/* The same by hand: three launches for each column, and a block for each later column in the tuned ones. */
#include "gramschmidt.h"

static __global__ void norm_naive(float (*a)[N], float (*r)[N], int k) {
  float sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i][k] * a[i][k];
  r[k][k] = sqrtf(sum);
}

static __global__ void scale(float (*a)[N], float (*q)[N], float (*r)[N], int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    q[i][k] = a[i][k] / r[k][k];
}

static __global__ void rest_naive(float (*a)[N], float (*q)[N], float (*r)[N], int k) {
  int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= N)
    return;
  float sum = 0;
  for (int i = 0; i < N; i++)
    sum += q[i][k] * a[i][j];
  r[k][j] = sum;
  for (int i = 0; i < N; i++)
    a[i][j] -= q[i][k] * sum;
}

static __global__ void norm_tuned(float (*a)[N], float (*r)[N], int k) {
  __shared__ float part[16];
  float sum = a[threadIdx.x][k] * a[threadIdx.x][k];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < 16; warp++)
      sum += part[warp];
    r[k][k] = sqrtf(sum);
  }
}

/* 32 columns for each block, whose 16 warps share the rows. */
static __global__ void rest_tuned(float (*a)[N], float (*q)[N], float (*r)[N], int k) {
  __shared__ float part[16][32];
  int j = k + 1 + blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (j < N)
#pragma unroll 8
    for (int i = threadIdx.y; i < N; i += 16)
      sum += q[i][k] * a[i][j];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int y = 0; y < 16; y++)
    sum += part[y][threadIdx.x];
  if (j >= N)
    return;
  if (threadIdx.y == 0)
    r[k][j] = sum;
#pragma unroll 8
  for (int i = threadIdx.y; i < N; i += 16)
    a[i][j] -= q[i][k] * sum;
}

template <typename Run> static void measure(const char *variant, float (*a)[N], float (*q)[N], float (*da)[N], float (*dq)[N], Run run) {
  double best = INFINITY;
  for (int n = 0; n <= RUNS; n++) {
    cudaMemcpy(da, a, N * N * sizeof(float), cudaMemcpyHostToDevice);
    double start = milliseconds();
    for (int k = 0; k < N; k++)
      run(k);
    cudaDeviceSynchronize();
    if (n > 0)
      best = fmin(best, milliseconds() - start);
  }
  cudaMemcpy(q, dq, N * N * sizeof(float), cudaMemcpyDeviceToHost);
  check_columns(q);
  print_time("gramschmidt", variant, best);
}

int main() {
  static float a[N][N], q[N][N];
  float(*da)[N], (*dq)[N], (*dr)[N];
  cudaMalloc(&da, sizeof a), cudaMalloc(&dq, sizeof a), cudaMalloc(&dr, sizeof a);
  fill(a);
  measure("cuda-naive", a, q, da, dq, [&](int k) {
    norm_naive<<<1, 1>>>(da, dr, k);
    scale<<<N / 256, 256>>>(da, dq, dr, k);
    rest_naive<<<N / 256, 256>>>(da, dq, dr, k);
  });
  measure("cuda-tuned", a, q, da, dq, [&](int k) {
    norm_tuned<<<1, N>>>(da, dr, k);
    scale<<<N / 256, 256>>>(da, dq, dr, k);
    if (k + 1 < N)
      rest_tuned<<<(N - k - 1 + 31) / 32, dim3(32, 16)>>>(da, dq, dr, k);
  });
  return cudaGetLastError() != cudaSuccess;
}
