/*
 * A stand-in for libamdhip64.so, for machines without an AMD GPU: HIP's functions are those of the CUDA driver by other
 * names, so it is the other stand-in with these. Its log has CUDA's names. It is no evidence about real GPUs.
 */
#define cuInit hipInit
#define cuDriverGetVersion hipDriverGetVersion
#define cuDeviceGetCount hipGetDeviceCount
#define cuDeviceGet hipDeviceGet
#define cuDeviceGetName hipDeviceGetName
#define cuDeviceTotalMem_v2 hipDeviceTotalMem
#define cuDevicePrimaryCtxRetain hipDevicePrimaryCtxRetain
#define cuDevicePrimaryCtxRelease_v2 hipDevicePrimaryCtxRelease
#define cuCtxSetCurrent hipCtxSetCurrent
#define cuMemGetInfo_v2 hipMemGetInfo
#define cuMemAlloc_v2 hipMalloc
#define cuMemAllocManaged hipMallocManaged
#define cuMemHostAlloc hipHostMalloc
#define cuMemFreeHost hipHostFree
#define cuMemFree_v2 hipFree
#define cuMemcpyHtoDAsync_v2 hipMemcpyHtoDAsync
#define cuMemcpyDtoHAsync_v2 hipMemcpyDtoHAsync
#define cuMemcpyDtoDAsync_v2 hipMemcpyDtoDAsync
#define cuMemsetD8Async hipMemsetD8Async
#define cuStreamCreate hipStreamCreateWithFlags
#define cuStreamDestroy_v2 hipStreamDestroy
#define cuStreamSynchronize hipStreamSynchronize
#define cuStreamQuery hipStreamQuery
#define cuStreamWaitEvent hipStreamWaitEvent
#define cuEventCreate hipEventCreateWithFlags
#define cuEventRecord hipEventRecord
#define cuEventSynchronize hipEventSynchronize
#define cuEventQuery hipEventQuery
#define cuEventElapsedTime hipEventElapsedTime
#define cuEventDestroy_v2 hipEventDestroy
#define cuModuleLoadDataEx hipModuleLoadDataEx
#define cuModuleUnload hipModuleUnload
#define cuModuleGetFunction hipModuleGetFunction
#define cuLaunchKernel hipModuleLaunchKernel
#include "cuda_stand_in.c"

const char *hipGetErrorName(int code) {
  return code == NO_MEMORY   ? "hipErrorOutOfMemory"
         : code == NO_BINARY ? "hipErrorNoBinaryForGpu"
         : code == ILLEGAL   ? "hipErrorIllegalAddress"
         : code == NOT_FOUND ? "hipErrorNotFound"
                             : "hipErrorInvalidValue";
}

const char *hipGetErrorString(int code) {
  const char *text;
  cuGetErrorString(code, &text);
  return text;
}

/* hipDeviceAttribute_t in place of CUdevice_attribute. */
int hipDeviceGetAttribute(int *value, int which, int device) {
  return cuDeviceGetAttribute(value, which == 56 ? 1 : which == 63 ? 16 : which == 23 ? 75 : which == 9 ? 89 : 0, device);
}
