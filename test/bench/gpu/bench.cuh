/* What the CUDA programs of this folder share. */
#ifndef BENCH_CUH
#define BENCH_CUH
#include "bench.h"

/* The least time of RUNS launches after one that warms up. */
template <typename Launch> static double best_of(Launch launch) {
  double best = INFINITY;
  for (int run = 0; run <= RUNS; run++) {
    cudaDeviceSynchronize();
    double start = milliseconds();
    launch();
    cudaDeviceSynchronize();
    if (run > 0)
      best = fmin(best, milliseconds() - start);
  }
  return best;
}

template <typename T> static T *on_device(const T *from, size_t n) {
  T *to;
  if (cudaMalloc(&to, n * sizeof(T)) != cudaSuccess) {
    fprintf(stderr, "the device has no room for %zu bytes\n", n * sizeof(T));
    exit(1);
  }
  cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

template <typename T> static void to_host(T *to, const T *from, size_t n) {
  cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyDeviceToHost);
}
#endif
