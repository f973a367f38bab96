/* backend_hip.c: AMD GPUs, through the HIP runtime. Names and numbers are HIP's own. */
#include "backend/gpu/gpu_driver.h"
#include <dlfcn.h>
#include <string.h>

static const char *(*error_name)(gpu_result);
static const char *(*error_string)(gpu_result);

static const char *find(void *library) {
  void *name = dlsym(library, "hipGetErrorName"), *string = dlsym(library, "hipGetErrorString");
  memcpy(&error_name, &name, sizeof name);
  memcpy(&error_string, &string, sizeof string);
  return !name ? "hipGetErrorName" : !string ? "hipGetErrorString" : NULL;
}

static void describe(gpu_result code, const char **name, const char **meaning) {
  *name = error_name(code);
  *meaning = error_string(code);
}

/* By default it compiles for the current device. */
static const struct arc_gpu_compiler_maker compiler = {
    .title = "HIPRTC",
    .prefix = "hiprtc",
    .code = "Code",
    .variable = "ARC_HIPRTC_LIBRARY",
    .files = (const char *const[]){"libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5",
                                   "/opt/rocm/lib/libhiprtc.so", NULL},
    .options = "ARC_HIPRTC_OPTIONS",
    .homes = (const char *const[]){"ROCM_PATH", "HIP_PATH", "/opt/rocm", NULL},
};

static const struct arc_gpu_maker maker = {
    .title = "HIP",
    .vendor = "Advanced Micro Devices, Inc.",
    .architecture = "gfx %d.%d",
    .variable = "ARC_HIP_LIBRARY",
    .files = (const char *const[]){"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", NULL},
    .names = {.init = "hipInit",
              .driver_version = "hipDriverGetVersion",
              .device_count = "hipGetDeviceCount",
              .device_get = "hipDeviceGet",
              .device_name = "hipDeviceGetName",
              .device_memory = "hipDeviceTotalMem",
              .device_attribute = "hipDeviceGetAttribute",
              .context_retain = "hipDevicePrimaryCtxRetain",
              .context_release = "hipDevicePrimaryCtxRelease",
              .context_bind = "hipCtxSetCurrent",
              .memory_info = "hipMemGetInfo",
              .allocate = "hipMalloc",
              .allocate_managed = "hipMallocManaged",
              .release = "hipFree",
              .host_allocate = "hipHostMalloc",
              .host_release = "hipHostFree",
              .write = "hipMemcpyHtoDAsync",
              .read = "hipMemcpyDtoHAsync",
              .copy = "hipMemcpyDtoDAsync",
              .fill = "hipMemsetD8Async",
              .stream_create = "hipStreamCreateWithFlags",
              .stream_destroy = "hipStreamDestroy",
              .stream_synchronize = "hipStreamSynchronize",
              .stream_query = "hipStreamQuery",
              .stream_wait = "hipStreamWaitEvent",
              .event_create = "hipEventCreateWithFlags",
              .event_record = "hipEventRecord",
              .event_synchronize = "hipEventSynchronize",
              .event_query = "hipEventQuery",
              .event_elapsed = "hipEventElapsedTime",
              .event_destroy = "hipEventDestroy",
              .module_load = "hipModuleLoadDataEx",
              .module_unload = "hipModuleUnload",
              .module_function = "hipModuleGetFunction",
              .launch = "hipModuleLaunchKernel"},
    /* hipDeviceAttribute_t of hip_runtime_api.h, from ROCm 5 on. */
    .attributes = {.threads_per_block = 56, .multiprocessors = 63, .concurrent_managed = 9, .major = 23, .minor = 61},
    .version_major = 10000000,
    .version_minor = 100000,
    .compiler = &compiler,
    .find = find,
    .describe = describe,
};

static struct arc_gpu_driver driver = {.maker = &maker, .once = PTHREAD_ONCE_INIT};

static void open_once(void) { arc_gpu_find_driver(&driver); }
static int count_devices(void) { return arc_gpu_devices(&driver, open_once); }
static bool open_hip(struct arc_device *device) { return arc_gpu_open(device, &driver, open_once); }

const struct arc_backend arc_backend_hip = {
    .name = "hip",
    .types = (const char *const[]){"radeon", "gpu", NULL},
    .payloads = (const char *const[]){"hsaco", "source", NULL},
    .devices = count_devices,
    .open = open_hip,
    ARC_GPU_BACKEND,
};
