/* backend_cuda.c: NVIDIA GPUs, through the driver. */
#include "cuda_api.h"
#include "device.h"
#include "text.h"
#include "trace.h"
#include <stdlib.h>
#include <string.h>

struct state {
  const struct arc_cuda_api *cu;
  CUdevice device;
  CUcontext context;
  int architecture; /* 90: sm_90 */
  CUevent origin;   /* of the trace's times; NULL before the first mark */
  double origin_time;
};

/* The context is a property of the host thread. */
static _Thread_local CUcontext bound;

static struct state *bind(struct arc_device *device) {
  struct state *state = device->state;
  if (bound != state->context && state->cu->cuCtxSetCurrent(state->context) == CUDA_SUCCESS)
    bound = state->context;
  return state;
}

/* At exit the driver may go first: what it has given up needs no waiting for. */
static bool check(const char *call, CUresult code) {
  return code == CUDA_SUCCESS || code == CUDA_ERROR_DEINITIALIZED || arc_cuda_failed(call, code);
}

static CUdeviceptr address_of(struct arc_place place) {
  return place.buffer->range.start + (uint64_t)place.offset;
}

static int count_devices(void) {
  const struct arc_cuda_api *cu = arc_cuda_api();
  int count = 0;
  return cu && check("cuDeviceGetCount", cu->cuDeviceGetCount(&count)) ? count : 0;
}

static int64_t attribute(const struct state *state, int which) {
  int value = 0;
  state->cu->cuDeviceGetAttribute(&value, which, state->device);
  return value;
}

static bool open_cuda(struct arc_device *device) {
  const struct arc_cuda_api *cu = arc_cuda_api();
  if (!cu) return false;
  struct state *state = arc_allocate(sizeof *state);
  state->cu = cu;
  if (!check("cuDeviceGet", cu->cuDeviceGet(&state->device, device->ordinal)) ||
      !check("cuDevicePrimaryCtxRetain", cu->cuDevicePrimaryCtxRetain(&state->context, state->device))) {
    free(state);
    return false;
  }
  device->state = state;
  bind(device);
  char name[256] = "";
  size_t memory = 0;
  cu->cuDeviceGetName(name, sizeof name - 1, state->device);
  cu->cuDeviceTotalMem(&memory, state->device);
  state->architecture = (int)(10 * attribute(state, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                              attribute(state, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  struct arc_text title = {0};
  arc_text_add(&title, "cuda:%d (%s, sm_%d)", device->ordinal, name, state->architecture);
  device->name = title.bytes;
  int version = 0;
  cu->cuDriverGetVersion(&version);
  struct arc_text driver = {0};
  arc_text_add(&driver, "CUDA %d.%d", version / 1000, version % 1000 / 10);
  device->driver = driver.bytes;
  device->vendor = arc_copy_string("NVIDIA Corporation");
  device->pooled = true;
  device->compute_units = attribute(state, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  device->max_group = attribute(state, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  device->memory_bytes = memory;
  return true;
}

static void close_cuda(struct arc_device *device) {
  struct state *state = device->state;
  if (state->origin) bind(device)->cu->cuEventDestroy(state->origin);
  state->cu->cuDevicePrimaryCtxRelease(state->device);
  bound = NULL;
  free(state);
  device->state = NULL;
}

static uint64_t free_memory(struct arc_device *device) {
  size_t available = 0, total = 0;
  bind(device)->cu->cuMemGetInfo(&available, &total);
  return available;
}

/* ---- memory ---- */

static bool allocate(struct arc_device *device, struct arc_buffer *buffer) {
  CUdeviceptr address;
  if (!check("cuMemAlloc", bind(device)->cu->cuMemAlloc(&address, buffer->bytes))) return false;
  buffer->range.start = address;
  return true;
}

/* Managed memory beyond what the device has free can hang it. */
static bool allocate_unified(struct arc_device *device, struct arc_buffer *buffer) {
  struct state *state = bind(device);
  CUdeviceptr address;
  if (!attribute(state, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS))
    return arc_because("host and device cannot use managed memory at the same time");
  if (buffer->bytes > free_memory(device)) return arc_because("it is more than the device has free");
  if (!check("cuMemAllocManaged",
             state->cu->cuMemAllocManaged(&address, buffer->bytes, CU_MEM_ATTACH_GLOBAL)))
    return false;
  buffer->range.start = address;
  return true;
}

static void release(struct arc_device *device, struct arc_buffer *buffer) {
  bind(device)->cu->cuMemFree(buffer->range.start);
}

static bool write_memory(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                         const void *host, size_t bytes) {
  return check("cuMemcpyHtoDAsync",
               bind(device)->cu->cuMemcpyHtoDAsync(address_of(to), host, bytes, queue->handle));
}

static bool read_memory(struct arc_device *device, struct arc_queue *queue, void *host, struct arc_place from,
                        size_t bytes) {
  return check("cuMemcpyDtoHAsync",
               bind(device)->cu->cuMemcpyDtoHAsync(host, address_of(from), bytes, queue->handle));
}

static bool copy(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                 struct arc_place from, size_t bytes) {
  return check("cuMemcpyDtoDAsync",
               bind(device)->cu->cuMemcpyDtoDAsync(address_of(to), address_of(from), bytes, queue->handle));
}

static bool fill(struct arc_device *device, struct arc_queue *queue, struct arc_place place,
                 unsigned char byte, size_t bytes) {
  return check("cuMemsetD8Async",
               bind(device)->cu->cuMemsetD8Async(address_of(place), byte, bytes, queue->handle));
}

/* ---- queues ---- */

static bool open_queue(struct arc_device *device, struct arc_queue *queue) {
  CUstream stream;
  if (!check("cuStreamCreate", bind(device)->cu->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)))
    return false;
  queue->handle = stream;
  return true;
}

static void close_queue(struct arc_device *device, struct arc_queue *queue) {
  bind(device)->cu->cuStreamDestroy(queue->handle);
}

static bool finish(struct arc_device *device, struct arc_queue *queue) {
  return check("cuStreamSynchronize", bind(device)->cu->cuStreamSynchronize(queue->handle));
}

static int test(struct arc_device *device, struct arc_queue *queue) {
  CUresult code = bind(device)->cu->cuStreamQuery(queue->handle);
  if (code == CUDA_ERROR_NOT_READY) return 0;
  return check("cuStreamQuery", code) ? 1 : -1;
}

static bool follow(struct arc_device *device, struct arc_queue *later, struct arc_queue *earlier) {
  const struct arc_cuda_api *cu = bind(device)->cu;
  CUevent event;
  if (!check("cuEventCreate", cu->cuEventCreate(&event, CU_EVENT_DISABLE_TIMING))) return false;
  bool good = check("cuEventRecord", cu->cuEventRecord(event, earlier->handle)) &&
              check("cuStreamWaitEvent", cu->cuStreamWaitEvent(later->handle, event, 0));
  cu->cuEventDestroy(event); /* takes effect when the event has happened */
  return good;
}

static CUevent event_in(struct state *state, struct arc_queue *queue) {
  CUevent event;
  if (state->cu->cuEventCreate(&event, 0) != CUDA_SUCCESS) return NULL;
  state->cu->cuEventRecord(event, queue->handle);
  return event;
}

static void *mark(struct arc_device *device, struct arc_queue *queue) {
  struct state *state = bind(device);
  if (!state->origin && (state->origin = event_in(state, queue))) {
    state->cu->cuEventSynchronize(state->origin);
    state->origin_time = arc_trace_now();
  }
  return event_in(state, queue);
}

static double mark_time(struct arc_device *device, void *mark) {
  struct state *state = bind(device);
  if (!mark) return arc_trace_now();
  float milliseconds = 0;
  CUresult code = state->cu->cuEventElapsedTime(&milliseconds, state->origin, mark);
  state->cu->cuEventDestroy(mark);
  return code == CUDA_SUCCESS ? state->origin_time + 1e3 * (double)milliseconds : arc_trace_now();
}

/* ---- modules and kernels ---- */

static CUmodule load_payload(struct state *state, const struct arc_payload *payload) {
  char log[8192] = "";
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  /* PTX must end in a zero byte, which the file does not promise. */
  char *text = arc_allocate(payload->size + 1);
  memcpy(text, payload->bytes, payload->size);
  CUmodule module = NULL;
  CUresult code = state->cu->cuModuleLoadDataEx(&module, text, 2, options, values);
  free(text);
  if (code == CUDA_SUCCESS) return module;
  arc_cuda_failed("cuModuleLoadDataEx", code);
  if (code == CUDA_ERROR_NO_BINARY_FOR_GPU)
    arc_because("it holds code for %s, this device is sm_%d (%s)",
                *payload->tag ? payload->tag : "another device", state->architecture, arc_reason());
  if (*log) arc_because("%s\n%s", arc_reason(), log);
  return NULL;
}

static void *load(struct arc_device *device, const struct arc_image *image) {
  struct state *state = bind(device);
  bool any = false;
  for (const char *const *kind = device->backend->payloads; *kind; kind++) {
    for (size_t i = 0; i < image->npayloads; i++) {
      if (strcmp(image->payloads[i].kind, *kind) != 0) continue;
      any = true;
      CUmodule module = load_payload(state, &image->payloads[i]);
      if (module) return module;
    }
  }
  if (!any) arc_because("the image has no payload of the kinds 'cubin', 'fatbin' and 'ptx'");
  return NULL;
}

static void unload(struct arc_device *device, void *module) { bind(device)->cu->cuModuleUnload(module); }

static void *kernel(struct arc_device *device, void *module, const char *name) {
  CUfunction function;
  return check("cuModuleGetFunction", bind(device)->cu->cuModuleGetFunction(&function, module, name))
             ? function
             : NULL;
}

static bool launch(struct arc_device *device, struct arc_queue *queue, void *code, const int64_t grid[3],
                   const int64_t group[3], size_t n, const struct arc_pass *passes) {
  enum { few = 64 };
  void *some[few];
  CUdeviceptr some_addresses[few];
  void **arguments = n > few ? arc_allocate(n * sizeof *arguments) : some;
  CUdeviceptr *addresses = n > few ? arc_allocate(n * sizeof *addresses) : some_addresses;
  for (size_t i = 0; i < n; i++) {
    if (passes[i].is_place) addresses[i] = address_of(passes[i].place);
    arguments[i] = passes[i].is_place ? (void *)&addresses[i] : (void *)passes[i].bytes;
  }
  CUresult result = bind(device)->cu->cuLaunchKernel(
      code, (unsigned)grid[0], (unsigned)grid[1], (unsigned)grid[2], (unsigned)group[0], (unsigned)group[1],
      (unsigned)group[2], 0, queue->handle, arguments, NULL);
  if (arguments != some) {
    free(arguments);
    free(addresses);
  }
  return check("cuLaunchKernel", result);
}

const struct arc_backend arc_backend_cuda = {
    .name = "cuda",
    .types = (const char *const[]){"nvidia", "gpu", NULL},
    .payloads = (const char *const[]){"cubin", "fatbin", "ptx", NULL},
    .devices = count_devices,
    .open = open_cuda,
    .close = close_cuda,
    .free_memory = free_memory,
    .allocate = allocate,
    .release = release,
    .allocate_unified = allocate_unified,
    .write = write_memory,
    .read = read_memory,
    .copy = copy,
    .fill = fill,
    .open_queue = open_queue,
    .close_queue = close_queue,
    .finish = finish,
    .test = test,
    .follow = follow,
    .mark = mark,
    .mark_time = mark_time,
    .load = load,
    .unload = unload,
    .kernel = kernel,
    .launch = launch,
};
