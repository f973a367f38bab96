/*
 * opencl_api.h: the part of OpenCL 1.2 that the runtime calls, found in the installed library at run time.
 * Names are OpenCL's own; constants are from the Khronos registry.
 */
#ifndef ARC_OPENCL_API_H
#define ARC_OPENCL_API_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct arc_cl_platform *cl_platform_id;
typedef struct arc_cl_device *cl_device_id;
typedef struct arc_cl_context *cl_context;
typedef struct arc_cl_queue *cl_command_queue;
typedef struct arc_cl_memory *cl_mem;
typedef struct arc_cl_program *cl_program;
typedef struct arc_cl_kernel *cl_kernel;
typedef struct arc_cl_event *cl_event;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint32_t cl_bool;
typedef uint64_t cl_ulong;
typedef uint64_t cl_bitfield;

enum {
  CL_SUCCESS = 0,
  CL_BUILD_PROGRAM_FAILURE = -11,
  CL_DEVICE_TYPE = 0x1000,
  CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
  CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
  CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
  CL_DEVICE_NAME = 0x102B,
  CL_DEVICE_VENDOR = 0x102C,
  CL_DRIVER_VERSION = 0x102D,
  CL_DEVICE_IL_VERSION = 0x105B,
  CL_DEVICE_PCI_BUS_ID_NV = 0x4008,
  CL_DEVICE_PCI_SLOT_ID_NV = 0x4009,
  CL_DEVICE_PCI_DOMAIN_ID_NV = 0x400A,
  CL_DEVICE_PCI_BUS_INFO_KHR = 0x410F,
  CL_PLATFORM_NAME = 0x0902,
  CL_PROGRAM_BUILD_LOG = 0x1183,
  CL_PROGRAM_BINARY_SIZES = 0x1165,
  CL_PROGRAM_BINARIES = 0x1166,
  CL_MEM_READ_WRITE = 1,
  CL_MEM_ALLOC_HOST_PTR = 16,
  CL_MAP_READ_AND_WRITE = 3,
  CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
  CL_COMPLETE = 0,
  CL_QUEUE_PROFILING_ENABLE = 2,
  CL_PROFILING_COMMAND_END = 0x1283,
};
#define CL_DEVICE_TYPE_CPU ((cl_bitfield)1 << 1)
#define CL_DEVICE_TYPE_GPU ((cl_bitfield)1 << 2)
#define CL_DEVICE_TYPE_ACCELERATOR ((cl_bitfield)1 << 3)
#define CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ((cl_bitfield)1 << 7)
#define CL_DEVICE_TYPE_ALL ((cl_bitfield)0xFFFFFFFF)

#define ARC_OPENCL_FUNCTIONS(F)                                                                              \
  F(cl_int, clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                                        \
  F(cl_int, clGetPlatformInfo, (cl_platform_id, cl_uint, size_t, void *, size_t *))                          \
  F(cl_int, clGetDeviceIDs, (cl_platform_id, cl_bitfield, cl_uint, cl_device_id *, cl_uint *))               \
  F(cl_int, clGetDeviceInfo, (cl_device_id, cl_uint, size_t, void *, size_t *))                              \
  F(cl_context, clCreateContext,                                                                             \
    (const intptr_t *, cl_uint, const cl_device_id *, void (*)(const char *, const void *, size_t, void *),  \
     void *, cl_int *))                                                                                      \
  F(cl_int, clReleaseContext, (cl_context))                                                                  \
  F(cl_command_queue, clCreateCommandQueue, (cl_context, cl_device_id, cl_bitfield, cl_int *))               \
  F(cl_int, clReleaseCommandQueue, (cl_command_queue))                                                       \
  F(cl_mem, clCreateBuffer, (cl_context, cl_bitfield, size_t, void *, cl_int *))                             \
  F(cl_int, clReleaseMemObject, (cl_mem))                                                                    \
  F(cl_int, clEnqueueReadBuffer,                                                                             \
    (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *))      \
  F(cl_int, clEnqueueWriteBuffer,                                                                            \
    (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *,             \
     cl_event *))                                                                                            \
  F(cl_int, clEnqueueCopyBuffer,                                                                             \
    (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *))       \
  F(cl_int, clEnqueueFillBuffer,                                                                             \
    (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *)) \
  F(cl_program, clCreateProgramWithSource, (cl_context, cl_uint, const char **, const size_t *, cl_int *))   \
  F(cl_program, clCreateProgramWithBinary,                                                                   \
    (cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **, cl_int *, cl_int *)) \
  F(cl_int, clBuildProgram,                                                                                  \
    (cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *), void *))         \
  F(cl_int, clGetProgramBuildInfo, (cl_program, cl_device_id, cl_uint, size_t, void *, size_t *))            \
  F(cl_int, clGetProgramInfo, (cl_program, cl_uint, size_t, void *, size_t *))                               \
  F(cl_int, clReleaseProgram, (cl_program))                                                                  \
  F(cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *))                                         \
  F(cl_int, clReleaseKernel, (cl_kernel))                                                                    \
  F(cl_int, clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                                      \
  F(cl_int, clEnqueueNDRangeKernel,                                                                          \
    (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,          \
     const cl_event *, cl_event *))                                                                          \
  F(cl_int, clEnqueueMarkerWithWaitList, (cl_command_queue, cl_uint, const cl_event *, cl_event *))          \
  F(cl_int, clEnqueueBarrierWithWaitList, (cl_command_queue, cl_uint, const cl_event *, cl_event *))         \
  F(cl_int, clGetEventInfo, (cl_event, cl_uint, size_t, void *, size_t *))                                   \
  F(cl_int, clGetEventProfilingInfo, (cl_event, cl_uint, size_t, void *, size_t *))                          \
  F(void *, clEnqueueMapBuffer,                                                                              \
    (cl_command_queue, cl_mem, cl_bool, cl_bitfield, size_t, size_t, cl_uint, const cl_event *, cl_event *,  \
     cl_int *))                                                                                              \
  F(cl_int, clEnqueueUnmapMemObject, (cl_command_queue, cl_mem, void *, cl_uint, const cl_event *, cl_event *)) \
  F(cl_int, clWaitForEvents, (cl_uint, const cl_event *))                                                    \
  F(cl_int, clReleaseEvent, (cl_event))                                                                      \
  F(cl_int, clFlush, (cl_command_queue))                                                                     \
  F(cl_int, clFinish, (cl_command_queue))

#define ARC_OPENCL_POINTER(result, name, parameters) result(*name) parameters;
struct arc_opencl_api {
  ARC_OPENCL_FUNCTIONS(ARC_OPENCL_POINTER)
  /* Of OpenCL 2.1; NULL: the library is older. */
  cl_program (*clCreateProgramWithIL)(cl_context, const void *, size_t, cl_int *);
};
#undef ARC_OPENCL_POINTER

/* NULL, with arc_because(), when there is no OpenCL library. */
const struct arc_opencl_api *arc_opencl_api(void);
/* CL_OUT_OF_RESOURCES for -5. */
const char *arc_opencl_error(cl_int);

#endif
