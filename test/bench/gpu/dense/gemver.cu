/*
 * The same by hand: the update and the product with the transposed matrix in one pass over A, whose blocks of rows
 * leave partial sums; then a block for each row.
 */
#include "../bench.cuh"
#include "gemver.h"

enum { DOWN = 128, WIDE = 1024 }; /* rows and columns of a block of 256 threads */

static __global__ void update(float4 *__restrict__ a, const float *__restrict__ u1, const float4 *__restrict__ v1,
                              const float *__restrict__ u2, const float4 *__restrict__ v2, const float *__restrict__ y,
                              float4 *__restrict__ part) {
  int j = blockIdx.x * 256 + threadIdx.x;
  float4 p = v1[j], q = v2[j], sum = {};
#pragma unroll 4
  for (int i = blockIdx.y * DOWN; i < (blockIdx.y + 1) * DOWN; i++) {
    float4 e = a[(size_t)i * (N / 4) + j];
    float s = u1[i], t = u2[i], r = y[i];
    e.x += s * p.x + t * q.x, e.y += s * p.y + t * q.y, e.z += s * p.z + t * q.z, e.w += s * p.w + t * q.w;
    a[(size_t)i * (N / 4) + j] = e;
    sum.x += e.x * r, sum.y += e.y * r, sum.z += e.z * r, sum.w += e.w * r;
  }
  part[blockIdx.y * (N / 4) + j] = sum;
}

static __global__ void gather(const float *__restrict__ part, const float *__restrict__ z, float *__restrict__ x) {
  int j = blockIdx.x * 256 + threadIdx.x;
  float sum = z[j];
#pragma unroll 16
  for (int b = 0; b < N / DOWN; b++)
    sum += part[b * N + j];
  x[j] = sum;
}

static __global__ void rows(const float4 *__restrict__ a, const float4 *__restrict__ x, float *__restrict__ w) {
  __shared__ float warps[8];
  const float4 *row = a + (size_t)blockIdx.x * (N / 4);
  float sum = 0;
#pragma unroll 8
  for (int j = threadIdx.x; j < N / 4; j += 256) {
    float4 p = row[j], q = x[j];
    sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < 8; warp++)
      sum += warps[warp];
    w[blockIdx.x] = sum;
  }
}

int main() {
  float *x = make_vector(6), *w = make_vector(6), *v[6], *a = on_device(make_matrix(), (size_t)N * N), *part;
  for (int which = 0; which < 6; which++)
    v[which] = on_device(make_vector(which), N);
  float *dx = on_device(x, N), *dw = on_device(w, N);
  cudaMalloc(&part, (size_t)N / DOWN * N * sizeof(float));
  print_time("gemver", "cuda-tuned", best_of([&] {
               update<<<dim3(N / WIDE, N / DOWN), 256>>>((float4 *)a, v[0], (float4 *)v[1], v[2], (float4 *)v[3], v[4], (float4 *)part);
               gather<<<N / 256, 256>>>(part, v[5], dx);
               rows<<<N, 256>>>((float4 *)a, (float4 *)dx, dw);
             }));
  to_host(x, dx, N), to_host(w, dw, N);
  check_gemver(x, w, RUNS + 1);
  return cudaGetLastError() != cudaSuccess;
}
