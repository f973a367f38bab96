/* Threads' numbers in other forms than the sum: strides, casts, two kernels that share names, a thread's own array. */
#include <stdio.h>

#define COUNT 300

extern "C" __global__ void strided(long long *out, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = 3LL * i;
}

__global__ void casted(long long *out, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned left = threadIdx.x - 1; // wraps around in thread 0
  out[i] += left;
}

__device__ __forceinline__ int twice(int x) { return 2 * x; }

__global__ void own_array(int *out)
{
  int own[4];
  for (int k = 0; k < 4; k++) own[k] = twice(threadIdx.x) + k;
  int sum = 0;
  for (int k = 0; k < 4; k++) { if (k == 2) continue; sum += own[k]; }
  out[threadIdx.x + blockDim.x * blockIdx.x] = sum + blockIdx.x;
}

__global__ void volume(float *v, int nx, int ny, int nz)
{
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = (blockIdx.y * blockDim.y) + threadIdx.y;
  int z = blockIdx.z;
  if (x < nx && y < ny && z < nz) v[(z * ny + y) * nx + x] = x + 10.0f * y + 100.0f * z;
}

/* Uniform control flow around barriers, a value that lives over them, and one that all threads compute alike. */
__global__ void rounds(int *data, int times)
{
  __shared__ int line[32];
  int mine = data[blockIdx.x * 32 + threadIdx.x];
  int offset = 1;
  for (int t = 0; t < times; t++) {
    line[threadIdx.x] = mine;
    __syncthreads();
    if (times > 2) {
      mine += line[(threadIdx.x + offset) % 32];
      __syncthreads();
    } else {
      mine -= t;
    }
    __syncthreads();
    offset = offset * 3 + 1;
  }
  data[blockIdx.x * 32 + threadIdx.x] = mine + offset;
}

int main(void)
{
  static long long h[COUNT];
  static int o[96], r[64];
  static float v[7 * 5 * 3];
  long long *d;
  int *d_o, *d_r;
  float *d_v;
  cudaError_t err = cudaMalloc((void **)&d, sizeof h);
  if (err != cudaSuccess) return 1;
  cudaMalloc((void **)&d_o, sizeof o);
  cudaMalloc((void **)&d_r, sizeof r);
  cudaMalloc((void **)&d_v, sizeof v);
  strided<<<4, 64>>>(d, COUNT);
  casted<<<(COUNT + 99) / 100, 100>>>(d, COUNT);
  own_array<<<3, 32>>>(d_o);
  dim3 block(4, 2), grid((7 + block.x - 1) / block.x, 3, 3);
  volume<<<grid, block>>>(d_v, 7, 5, 3);
  for (int i = 0; i < 64; i++) r[i] = i * i % 17;
  cudaMemcpy(d_r, r, sizeof r, cudaMemcpyHostToDevice);
  rounds<<<2, 32>>>(d_r, 4);
  rounds<<<2, 32>>>(d_r, 2);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(o, d_o, sizeof o, cudaMemcpyDeviceToHost);
  cudaMemcpy(r, d_r, sizeof r, cudaMemcpyDeviceToHost);
  cudaMemcpy(v, d_v, sizeof v, cudaMemcpyDeviceToHost);
  long long a = 0, b = 0, c = 0;
  for (int i = 0; i < COUNT; i++) a += h[i] * (i % 7 + 1);
  for (int i = 0; i < 96; i++) b += o[i] * (i + 1);
  for (int i = 0; i < 64; i++) c += (long long)r[i] * (i + 1);
  double s = 0;
  for (int i = 0; i < 7 * 5 * 3; i++) s += v[i] * (i % 4);
  printf("%lld %lld %lld %g\n", a, b, c, s);
  return 0;
}
