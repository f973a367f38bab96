// What the compilers for NVIDIA's and AMD's GPUs both give device code: enough to compile it with clang alone, not to run it.
#pragma once
#include "vector_types.h"
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
typedef unsigned long size_t;
typedef long ptrdiff_t;
struct arc_place {
  unsigned x, y, z;
};
extern __device__ const arc_place threadIdx, blockIdx, blockDim, gridDim;
__device__ void __syncthreads();
__device__ void __threadfence();
__device__ float __int_as_float(int);
__device__ double __longlong_as_double(long long);
__device__ float rsqrtf(float);
template <class T> __device__ T __ldg(const T *);
template <class T> __device__ T atomicAdd(T *, T);
template <class T> __device__ T atomicAnd(T *, T);
template <class T> __device__ T atomicOr(T *, T);
template <class T> __device__ T atomicXor(T *, T);
template <class T> __device__ T atomicExch(T *, T);
template <class T> __device__ T atomicMin(T *, T);
template <class T> __device__ T atomicMax(T *, T);
template <class T> __device__ T atomicCAS(T *, T, T);
__device__ void *memcpy(void *, const void *, size_t);
__device__ void *memset(void *, int, size_t);
template <class... T> __device__ int printf(const char *, T...);
__device__ int abs(int);
__device__ long abs(long);
__device__ long long abs(long long);
__device__ float abs(float);
__device__ double abs(double);
__device__ long labs(long);
__device__ long long llabs(long long);
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ int __clz(int);
__device__ int __clzll(long long);
__device__ int __ffs(int);
__device__ int __ffsll(long long);
__device__ unsigned __byte_perm(unsigned, unsigned, unsigned);

#define ARC_UNARY(name) \
  __device__ float name(float); \
  __device__ double name(double);
#define ARC_BINARY(name) \
  __device__ float name(float, float); \
  __device__ double name(double, double);
#define ARC_TEST(name) \
  __device__ bool name(float); \
  __device__ bool name(double);
#define ARC_WHOLE(type, name) \
  __device__ type name(float); \
  __device__ type name(double);
#define ARC_SCALED(name, type) \
  __device__ float name(float, type); \
  __device__ double name(double, type);
ARC_UNARY(fabs) ARC_UNARY(sqrt) ARC_UNARY(cbrt) ARC_UNARY(exp) ARC_UNARY(exp2) ARC_UNARY(expm1)
ARC_UNARY(log) ARC_UNARY(log2) ARC_UNARY(log10) ARC_UNARY(log1p) ARC_UNARY(sin) ARC_UNARY(cos) ARC_UNARY(tan)
ARC_UNARY(asin) ARC_UNARY(acos) ARC_UNARY(atan) ARC_UNARY(sinh) ARC_UNARY(cosh) ARC_UNARY(tanh)
ARC_UNARY(asinh) ARC_UNARY(acosh) ARC_UNARY(atanh) ARC_UNARY(floor) ARC_UNARY(ceil) ARC_UNARY(round)
ARC_UNARY(trunc) ARC_UNARY(rint) ARC_UNARY(nearbyint) ARC_UNARY(erf) ARC_UNARY(erfc) ARC_UNARY(tgamma)
ARC_UNARY(lgamma) ARC_UNARY(logb)
ARC_BINARY(atan2) ARC_BINARY(pow) ARC_BINARY(hypot) ARC_BINARY(fmod) ARC_BINARY(fmin) ARC_BINARY(fmax)
ARC_BINARY(fdim) ARC_BINARY(copysign) ARC_BINARY(remainder) ARC_BINARY(nextafter)
ARC_TEST(isnan) ARC_TEST(isinf) ARC_TEST(isfinite) ARC_TEST(signbit)
ARC_WHOLE(int, ilogb) ARC_WHOLE(long, lrint) ARC_WHOLE(long, lround) ARC_WHOLE(long long, llrint)
ARC_WHOLE(long long, llround)
ARC_SCALED(ldexp, int) ARC_SCALED(scalbn, int) ARC_SCALED(scalbln, long)
__device__ float fma(float, float, float);
__device__ double fma(double, double, double);
#define ARC_LEFT(type, suffix) \
  __device__ type frexp##suffix(type, int *); \
  __device__ type modf##suffix(type, type *); \
  __device__ type remquo##suffix(type, type, int *); \
  __device__ void sincos##suffix(type, type *, type *);
ARC_LEFT(float, f) ARC_LEFT(double, )
