/* CUDA's kernels on the host as CUDA defines them: each thread of a block is a thread, and barriers are barriers. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static /* blocks run one after another */
#define __forceinline__ inline
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
static thread_local dim3 threadIdx;
static dim3 blockIdx, blockDim, gridDim;
static pthread_barrier_t block_barrier;
static std::mutex atomics;
static void __syncthreads() { pthread_barrier_wait(&block_barrier); }
template <class T, class V> static T atomicAdd(T *at, V by) {
  std::lock_guard<std::mutex> lock(atomics);
  T old = *at;
  *at += by;
  return old;
}
static void run_kernel(dim3 grid, dim3 block, const std::function<void()> &kernel) {
  gridDim = grid;
  blockDim = block;
  for (unsigned z = 0; z < grid.z; z++)
    for (unsigned y = 0; y < grid.y; y++)
      for (unsigned x = 0; x < grid.x; x++) {
        blockIdx = dim3(x, y, z);
        pthread_barrier_init(&block_barrier, nullptr, block.x * block.y * block.z);
        std::vector<std::thread> threads;
        for (unsigned c = 0; c < block.z; c++)
          for (unsigned b = 0; b < block.y; b++)
            for (unsigned a = 0; a < block.x; a++)
              threads.emplace_back([&, a, b, c] {
                threadIdx = dim3(a, b, c);
                kernel();
              });
        for (auto &t : threads) t.join();
        pthread_barrier_destroy(&block_barrier);
      }
}
enum cudaError_t { cudaSuccess };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
template <class T> static cudaError_t cudaMalloc(T **at, size_t n) { *at = (T *)malloc(n); return cudaSuccess; }
static cudaError_t cudaFree(void *p) { free(p); return cudaSuccess; }
static cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind) { memcpy(to, from, n); return cudaSuccess; }
static cudaError_t cudaMemset(void *to, int value, size_t n) { memset(to, value, n); return cudaSuccess; }
template <class T> static cudaError_t cudaMemcpyToSymbol(T &to, const void *from, size_t n) { memcpy(&to, from, n); return cudaSuccess; }
template <class T> static cudaError_t cudaMemcpyFromSymbol(void *to, const T &from, size_t n) { memcpy(to, &from, n); return cudaSuccess; }
static cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static cudaError_t cudaGetLastError() { return cudaSuccess; }
static const char *cudaGetErrorString(cudaError_t) { return ""; }
