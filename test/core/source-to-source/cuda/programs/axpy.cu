// y = a * x + y
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                     \
  do {                                                                  \
    cudaError_t err = (call);                                           \
    if (err != cudaSuccess) {                                           \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
      exit(1);                                                          \
    }                                                                   \
  } while (0)

// One thread per element.
__global__ void axpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x; // my element
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main(void)
{
  const int n = 1007;
  size_t bytes = n * sizeof(float);
  float *x = (float *)malloc(bytes), *y = (float *)malloc(bytes);
  float *d_x, *d_y;
  for (int i = 0; i < n; i++) {
    x[i] = i % 13;
    y[i] = i % 7;
  }
  CHECK(cudaMalloc(&d_x, bytes));
  CHECK(cudaMalloc((void **)&d_y, bytes));
  CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
  axpy<<<(n + 63) / 64, 64>>>(n, 2.5f, d_x, d_y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * (i % 5);
  printf("%.1f\n", sum);
  cudaFree(d_x);
  cudaFree(d_y);
  free(x);
  free(y);
  return 0;
}
