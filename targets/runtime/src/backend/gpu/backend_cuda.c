/* backend_cuda.c: NVIDIA GPUs, through the driver. Names and numbers are CUDA's own. */
#include "backend/gpu/gpu_driver.h"
#include <dlfcn.h>
#include <string.h>

static gpu_result (*error_name)(gpu_result, const char **);
static gpu_result (*error_string)(gpu_result, const char **);

static struct arc_gpu_graphs graphs;

/* Drivers before version 12 lack these. */
static void find_graphs(void *library) {
  const struct {
    const char *name;
    void *place;
  } functions[] = {
      {"cuGraphCreate", &graphs.create},
      {"cuGraphAddKernelNode_v2", &graphs.add_kernel},
      {"cuGraphInstantiateWithFlags", &graphs.instantiate},
      {"cuGraphExecKernelNodeSetParams_v2", &graphs.set_kernel},
      {"cuGraphLaunch", &graphs.launch},
      {"cuGraphExecDestroy", &graphs.executable_destroy},
      {"cuGraphDestroy", &graphs.destroy},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *symbol = dlsym(library, functions[i].name);
    memcpy(functions[i].place, &symbol, sizeof symbol);
    if (symbol) continue;
    graphs = (struct arc_gpu_graphs){0};
    return;
  }
}

static const char *find(void *library) {
  find_graphs(library);
  void *name = dlsym(library, "cuGetErrorName"), *string = dlsym(library, "cuGetErrorString");
  memcpy(&error_name, &name, sizeof name);
  memcpy(&error_string, &string, sizeof string);
  return !name ? "cuGetErrorName" : !string ? "cuGetErrorString" : NULL;
}

static void describe(gpu_result code, const char **name, const char **meaning) {
  error_name(code, name);
  error_string(code, meaning);
}

static const struct arc_gpu_compiler_maker compiler = {
    .title = "NVRTC",
    .prefix = "nvrtc",
    .code = "CUBIN",
    .variable = "ARC_NVRTC_LIBRARY",
    .files = (const char *const[]){"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                   "/usr/local/cuda/lib64/libnvrtc.so", NULL},
    .architecture = "--gpu-architecture=",
    .options = "ARC_NVRTC_OPTIONS",
    .homes = (const char *const[]){"CUDA_HOME", "CUDA_PATH", "/usr/local/cuda", NULL},
};

/* CUDA Programming Guide, throughput of native arithmetic instructions; unknown for newer architectures. */
static struct arc_operations lanes(int major, int minor) {
  static const struct {
    int architecture;
    struct arc_operations lanes;
  } known[] = {{50, {128, 4}}, {52, {128, 4}}, {53, {128, 4}}, {60, {64, 32}},  {61, {128, 4}},  {62, {128, 4}}, {70, {64, 32}},
               {72, {64, 32}}, {75, {64, 2}},  {80, {64, 32}}, {86, {128, 2}}, {87, {128, 2}}, {89, {128, 2}}, {90, {128, 64}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].architecture == 10 * major + minor) return known[i].lanes;
  return (struct arc_operations){0};
}

static const struct arc_gpu_maker maker = {
    .title = "CUDA",
    .vendor = "NVIDIA Corporation",
    .architecture = "sm_%d%d",
    .variable = "ARC_CUDA_LIBRARY",
    .files = (const char *const[]){"libcuda.so.1", NULL},
    .names = {.init = "cuInit",
              .driver_version = "cuDriverGetVersion",
              .device_count = "cuDeviceGetCount",
              .device_get = "cuDeviceGet",
              .device_name = "cuDeviceGetName",
              .device_bus = "cuDeviceGetPCIBusId",
              .device_memory = "cuDeviceTotalMem_v2",
              .device_attribute = "cuDeviceGetAttribute",
              .context_retain = "cuDevicePrimaryCtxRetain",
              .context_release = "cuDevicePrimaryCtxRelease_v2",
              .context_bind = "cuCtxSetCurrent",
              .memory_info = "cuMemGetInfo_v2",
              .allocate = "cuMemAlloc_v2",
              .allocate_managed = "cuMemAllocManaged",
              .release = "cuMemFree_v2",
              .host_allocate = "cuMemHostAlloc",
              .host_release = "cuMemFreeHost",
              .pointer_attribute = "cuPointerGetAttribute",
              .write = "cuMemcpyHtoDAsync_v2",
              .read = "cuMemcpyDtoHAsync_v2",
              .copy = "cuMemcpyDtoDAsync_v2",
              .copy_across = "cuMemcpyPeerAsync",
              .fill = "cuMemsetD8Async",
              .stream_create = "cuStreamCreate",
              .stream_destroy = "cuStreamDestroy_v2",
              .stream_synchronize = "cuStreamSynchronize",
              .stream_query = "cuStreamQuery",
              .stream_wait = "cuStreamWaitEvent",
              .event_create = "cuEventCreate",
              .event_record = "cuEventRecord",
              .event_synchronize = "cuEventSynchronize",
              .event_query = "cuEventQuery",
              .event_elapsed = "cuEventElapsedTime",
              .event_destroy = "cuEventDestroy_v2",
              .module_load = "cuModuleLoadDataEx",
              .module_unload = "cuModuleUnload",
              .module_function = "cuModuleGetFunction",
              .launch = "cuLaunchKernel"},
    .attributes = {.threads_per_block = 1,
                   .multiprocessors = 16,
                   .concurrent_managed = 89,
                   .major = 75,
                   .minor = 76,
                   .clock = 13,
                   .memory_clock = 36,
                   .memory_bus = 37},
    .lanes = lanes,
    .version_major = 1000,
    .version_minor = 10,
    .compiler = &compiler,
    .graphs = &graphs,
    .find = find,
    .describe = describe,
};

static struct arc_gpu_driver driver = {.maker = &maker, .once = PTHREAD_ONCE_INIT};

static void open_once(void) { arc_gpu_find_driver(&driver); }
static int count_devices(void) { return arc_gpu_devices(&driver, open_once); }
static bool open_cuda(struct arc_device *device) { return arc_gpu_open(device, &driver, open_once); }

const struct arc_backend arc_backend_cuda = {
    .name = "cuda",
    .types = (const char *const[]){"nvidia", "gpu", NULL},
    .payloads = (const char *const[]){"cubin", "fatbin", "ptx", "source", NULL},
    .devices = count_devices,
    .open = open_cuda,
    .copy_across = arc_gpu_copy_across,
    ARC_GPU_BACKEND,
};
