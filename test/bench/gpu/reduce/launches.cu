/* 10 000 dependent launches by hand, on one stream. Microseconds for one of them. */
#include "../bench.h"

enum { n = 1024, launches = 10000 };

static __global__ void step(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += 1;
}

int main(void) {
  float *a, *out = (float *)malloc(n * sizeof *out);
  double best = INFINITY;
  cudaMalloc(&a, n * sizeof *a);
  cudaMemset(a, 0, n * sizeof *a);
  for (int run = 0; run < 4; run++) {
    cudaDeviceSynchronize();
    double start = milliseconds();
    for (int k = 0; k < launches; k++)
      step<<<n / 256, 256>>>(a);
    cudaDeviceSynchronize();
    if (run > 0)
      best = fmin(best, milliseconds() - start);
  }
  cudaMemcpy(out, a, n * sizeof *a, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    expect_close("an element", out[i], 4.0 * launches, 0);
  print_time("launches", "cuda", 1e3 * best / launches);
  return cudaGetLastError() != cudaSuccess;
}
