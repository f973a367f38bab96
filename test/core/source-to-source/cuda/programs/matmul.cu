#include <stdio.h>
#define N 16
#define T 8
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
  __shared__ float as[T][T], bs[T][T];
  int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  float acc = 0;
  for (int k = 0; k < n; k += T) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
    __syncthreads();
    for (int j = 0; j < T; j++)
      acc += as[threadIdx.y][j] * bs[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = acc;
}
int main(void)
{
  static float a[N * N], b[N * N], c[N * N];
  float *da, *db, *dc;
  for (int i = 0; i < N * N; i++) a[i] = i % 7, b[i] = i % 5;
  cudaMalloc((void **)&da, sizeof a);
  cudaMalloc((void **)&db, sizeof b);
  cudaMalloc((void **)&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  multiply<<<dim3(N / T, N / T), dim3(T, T)>>>(da, db, dc, N);
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  double sum = 0, right = 0;
  for (int i = 0; i < N * N; i++) sum += c[i] * (i % 3);
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { float s = 0; for (int k = 0; k < N; k++) s += a[i * N + k] * b[k * N + j]; right += s * ((i * N + j) % 3); }
  printf("%g %g\n", sum, right);
  return sum != right;
}
