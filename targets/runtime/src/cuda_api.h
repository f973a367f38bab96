/*
 * cuda_api.h: the part of the CUDA driver interface that the runtime calls, found in the installed driver at
 * run time. Names are CUDA's own.
 */
#ifndef ARC_CUDA_API_H
#define ARC_CUDA_API_H
#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct arc_cu_context *CUcontext;
typedef struct arc_cu_module *CUmodule;
typedef struct arc_cu_function *CUfunction;
typedef struct arc_cu_stream *CUstream;
typedef struct arc_cu_event *CUevent;

enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
  CU_STREAM_NON_BLOCKING = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_MEM_ATTACH_GLOBAL = 1,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
};

#define ARC_CUDA_FUNCTIONS(F)                                                                             \
  F(cuInit, , (unsigned))                                                                                 \
  F(cuGetErrorName, , (CUresult, const char **))                                                          \
  F(cuGetErrorString, , (CUresult, const char **))                                                        \
  F(cuDriverGetVersion, , (int *))                                                                        \
  F(cuDeviceGetCount, , (int *))                                                                          \
  F(cuDeviceGet, , (CUdevice *, int))                                                                     \
  F(cuDeviceGetName, , (char *, int, CUdevice))                                                           \
  F(cuDeviceTotalMem, _v2, (size_t *, CUdevice))                                                          \
  F(cuDeviceGetAttribute, , (int *, int, CUdevice))                                                       \
  F(cuDevicePrimaryCtxRetain, , (CUcontext *, CUdevice))                                                  \
  F(cuDevicePrimaryCtxRelease, _v2, (CUdevice))                                                           \
  F(cuCtxSetCurrent, , (CUcontext))                                                                       \
  F(cuMemGetInfo, _v2, (size_t *, size_t *))                                                              \
  F(cuMemAlloc, _v2, (CUdeviceptr *, size_t))                                                             \
  F(cuMemAllocManaged, , (CUdeviceptr *, size_t, unsigned))                                               \
  F(cuMemFree, _v2, (CUdeviceptr))                                                                        \
  F(cuMemHostAlloc, , (void **, size_t, unsigned))                                                        \
  F(cuMemFreeHost, , (void *))                                                                            \
  F(cuMemcpyHtoDAsync, _v2, (CUdeviceptr, const void *, size_t, CUstream))                                \
  F(cuMemcpyDtoHAsync, _v2, (void *, CUdeviceptr, size_t, CUstream))                                      \
  F(cuMemcpyDtoDAsync, _v2, (CUdeviceptr, CUdeviceptr, size_t, CUstream))                                 \
  F(cuMemsetD8Async, , (CUdeviceptr, unsigned char, size_t, CUstream))                                    \
  F(cuStreamCreate, , (CUstream *, unsigned))                                                             \
  F(cuStreamDestroy, _v2, (CUstream))                                                                     \
  F(cuStreamSynchronize, , (CUstream))                                                                    \
  F(cuStreamQuery, , (CUstream))                                                                          \
  F(cuStreamWaitEvent, , (CUstream, CUevent, unsigned))                                                   \
  F(cuEventCreate, , (CUevent *, unsigned))                                                               \
  F(cuEventRecord, , (CUevent, CUstream))                                                                 \
  F(cuEventSynchronize, , (CUevent))                                                                      \
  F(cuEventElapsedTime, , (float *, CUevent, CUevent))                                                    \
  F(cuEventDestroy, _v2, (CUevent))                                                                       \
  F(cuModuleLoadDataEx, , (CUmodule *, const void *, unsigned, int *, void **))                           \
  F(cuModuleUnload, , (CUmodule))                                                                         \
  F(cuModuleGetFunction, , (CUfunction *, CUmodule, const char *))                                        \
  F(cuLaunchKernel, ,                                                                                     \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, \
     void **))

#define ARC_CUDA_POINTER(name, version, parameters) CUresult(*name) parameters;
struct arc_cuda_api {
  ARC_CUDA_FUNCTIONS(ARC_CUDA_POINTER)
};
#undef ARC_CUDA_POINTER

/* The initialised driver; NULL, with arc_because(), when there is none. */
const struct arc_cuda_api *arc_cuda_api(void);
/* "call: CUDA_ERROR_NAME: what it means" as the reason. Returns false. */
int arc_cuda_failed(const char *call, CUresult);

#endif
