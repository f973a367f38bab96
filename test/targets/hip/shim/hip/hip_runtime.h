// What HIP's header gives device code, for clang without it: enough to compile, not to run.
#pragma once
#include "../../../device_functions.h"
template <class T> __device__ T __shfl(T, int, int);
template <class T> __device__ T __shfl_up(T, unsigned, int);
template <class T> __device__ T __shfl_down(T, unsigned, int);
template <class T> __device__ T __shfl_xor(T, int, int);
