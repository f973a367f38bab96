// What nvcc gives device code by itself, for clang without the CUDA toolkit: enough to compile, not to run.
#include "../device_functions.h"
template <class T> __device__ T __shfl_sync(unsigned, T, int);
template <class T> __device__ T __shfl_up_sync(unsigned, T, unsigned);
template <class T> __device__ T __shfl_down_sync(unsigned, T, unsigned);
template <class T> __device__ T __shfl_xor_sync(unsigned, T, int);
__device__ void __trap();
