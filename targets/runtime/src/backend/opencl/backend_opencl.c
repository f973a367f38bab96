/*
 * backend_opencl.c: OpenCL 1.2 devices.
 *
 * A buffer is a cl_mem, which hides its device address. A kernel parameter is therefore two: the memory, and
 * the bytes from its start to where the host's pointer would point. Where a program needs the address itself
 * (attach, acc_deviceptr), a kernel of one work-item tells it.
 */
#include "device/device.h"
#include "image/library.h"
#include "backend/opencl/opencl_device.h"
#include "backend/opencl/opencl_program.h"
#include "report/text.h"
#include "backend/host/together.h"
#include "report/spans.h"
#include "report/trace.h"
#include <stdlib.h>
#include <string.h>

struct state {
  const struct arc_opencl_api *cl;
  cl_device_id device;
  cl_context context;
  cl_program probe; /* NULL until an address is asked for */
  cl_kernel probe_kernel;
  double clock_offset; /* trace time minus device time, in microseconds; set by the first mark */
  bool clock_known;
  struct arc_queue *beside;  /* for kernels that run at the same time as another one */
  size_t nbeside;
  pthread_mutex_t launching; /* a cl_kernel's arguments are its own until it is queued */
  struct arc_opencl_reads *reads; /* of the device's own queue */
  uint64_t released; /* how many buffers were: a new one may have the handle that one of them had */
};

static bool failed(const char *call, cl_int code) {
  return arc_because("%s: %s (%d)", call, arc_opencl_error(code), code);
}

static int count_devices(void) {
  const struct arc_opencl_api *cl = arc_opencl_api();
  if (!cl) return 0;
  struct arc_opencl_devices devices = arc_opencl_devices(cl);
  free(devices.ids);
  return (int)devices.count;
}

/* ---- opening ---- */

static bool open_opencl(struct arc_device *device) {
  const struct arc_opencl_api *cl = arc_opencl_api();
  if (!cl) return false;
  struct arc_opencl_devices devices = arc_opencl_devices(cl);
  if ((size_t)device->ordinal >= devices.count) {
    free(devices.ids);
    return devices.count ? arc_because("there are only %zu OpenCL devices", devices.count) : false;
  }
  struct state *state = arc_allocate(sizeof *state);
  state->cl = cl;
  state->device = devices.ids[device->ordinal];
  free(devices.ids);
  cl_int code;
  state->context = cl->clCreateContext(NULL, 1, &state->device, NULL, NULL, &code);
  if (!state->context) {
    free(state);
    return failed("clCreateContext", code);
  }
  pthread_mutex_init(&state->launching, NULL);
  state->reads = arc_opencl_reads_open();
  char *name = arc_opencl_text(cl, state->device, CL_DEVICE_NAME);
  struct arc_text title = {0};
  arc_text_add(&title, "opencl:%d (%s)", device->ordinal, name);
  free(name);
  device->name = title.bytes;
  device->vendor = arc_opencl_text(cl, state->device, CL_DEVICE_VENDOR);
  device->driver = arc_opencl_text(cl, state->device, CL_DRIVER_VERSION);
  device->state = state;
  device->pooled = true;
  device->eager = true;
  uint64_t type = arc_opencl_number(cl, state->device, CL_DEVICE_TYPE);
  device->type = arc_opencl_type(type);
  device->bus = arc_opencl_bus(cl, state->device, device->vendor);
  device->in_process = type & CL_DEVICE_TYPE_CPU;
  /* FPGA boards use DMA only for buffers with this alignment; UG-OCL002, "Allocating Aligned Memory". */
  if (type & CL_DEVICE_TYPE_ACCELERATOR) device->alignment = 64;
  device->compute_units = (int64_t)arc_opencl_number(cl, state->device, CL_DEVICE_MAX_COMPUTE_UNITS);
  device->max_group = (int64_t)arc_opencl_number(cl, state->device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  device->memory_bytes = arc_opencl_number(cl, state->device, CL_DEVICE_GLOBAL_MEM_SIZE);
  return true;
}

static void close_opencl(struct arc_device *device) {
  struct state *state = device->state;
  for (size_t k = 0; k < state->nbeside; k++) state->cl->clReleaseCommandQueue(state->beside[k].handle);
  free(state->beside);
  if (state->probe) {
    state->cl->clReleaseKernel(state->probe_kernel);
    state->cl->clReleaseProgram(state->probe);
  }
  arc_opencl_reads_close(state->cl, state->reads);
  state->cl->clReleaseContext(state->context);
  pthread_mutex_destroy(&state->launching);
  free(state);
  device->state = NULL;
}

/* ---- points ---- */

/* Where a command of the queue's leaves its event; NULL: nobody asks for points. */
static cl_event *event_of(struct arc_queue *queue, cl_event *made) { return queue->pointed ? made : NULL; }

/* Several threads of the program may use one queue: `last` of any queue is read and set under this lock. */
static pthread_mutex_t lasts = PTHREAD_MUTEX_INITIALIZER;

static void keep_locked(const struct arc_opencl_api *cl, struct arc_queue *queue, cl_event made) {
  if (queue->last) cl->clReleaseEvent(queue->last);
  queue->last = made;
}

/* `made` is what was queued last; NULL: something without an event. */
static void keep(const struct arc_opencl_api *cl, struct arc_queue *queue, cl_event made) {
  pthread_mutex_lock(&lasts);
  keep_locked(cl, queue, made);
  pthread_mutex_unlock(&lasts);
}

static cl_event marker(const struct arc_opencl_api *cl, struct arc_queue *queue) {
  cl_event event;
  return cl->clEnqueueMarkerWithWaitList(queue->handle, 0, NULL, &event) == CL_SUCCESS ? event : NULL;
}

/* Commands of a queue end in order. */
static void *point(struct arc_device *device, struct arc_queue *queue) {
  const struct arc_opencl_api *cl = ((struct state *)device->state)->cl;
  pthread_mutex_lock(&lasts);
  cl_event event = queue->last;
  queue->last = NULL;
  pthread_mutex_unlock(&lasts);
  if (!event) event = marker(cl, queue);
  if (!event) arc_because("the queue takes no marker");
  cl->clFlush(queue->handle);
  return event;
}

static int reached(struct arc_device *device, void *point) {
  const struct arc_opencl_api *cl = ((struct state *)device->state)->cl;
  cl_int status = 1;
  cl_int code = cl->clGetEventInfo(point, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  if (code == CL_SUCCESS && status >= 0) return status == CL_COMPLETE;
  failed("a queued command", code == CL_SUCCESS ? status : code);
  return -1;
}

static bool await(struct arc_device *device, void *point) {
  cl_event event = point;
  cl_int code = ((struct state *)device->state)->cl->clWaitForEvents(1, &event);
  return code == CL_SUCCESS || failed("clWaitForEvents", code);
}

static void forget(struct arc_device *device, void *point) {
  ((struct state *)device->state)->cl->clReleaseEvent(point);
}

/* What drivers allocate for the host themselves is pinned. */
static bool pin(struct arc_device *device, struct arc_queue *queue, size_t bytes, struct arc_pinned *pinned) {
  struct state *state = device->state;
  cl_int code;
  cl_mem memory = state->cl->clCreateBuffer(state->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
  if (!memory) return failed("clCreateBuffer", code);
  *pinned = (struct arc_pinned){NULL, memory};
  pinned->bytes = state->cl->clEnqueueMapBuffer(queue->handle, memory, 1, CL_MAP_READ_AND_WRITE, 0, bytes, 0, NULL, NULL, &code);
  if (pinned->bytes) return true;
  state->cl->clReleaseMemObject(memory);
  return failed("clEnqueueMapBuffer", code);
}

static void unpin(struct arc_device *device, struct arc_queue *queue, struct arc_pinned *pinned) {
  const struct arc_opencl_api *cl = ((struct state *)device->state)->cl;
  cl->clEnqueueUnmapMemObject(queue->handle, pinned->handle, pinned->bytes, 0, NULL, NULL);
  cl->clFinish(queue->handle);
  cl->clReleaseMemObject(pinned->handle);
}

/* ---- memory ---- */

static bool allocate(struct arc_device *device, struct arc_buffer *buffer) {
  struct state *state = device->state;
  cl_int code;
  buffer->handle = state->cl->clCreateBuffer(state->context, CL_MEM_READ_WRITE, buffer->bytes, NULL, &code);
  return buffer->handle || failed("clCreateBuffer", code);
}

static void release(struct arc_device *device, struct arc_buffer *buffer) {
  struct state *state = device->state;
  state->cl->clReleaseMemObject(buffer->handle);
  pthread_mutex_lock(&state->launching);
  state->released++;
  pthread_mutex_unlock(&state->launching);
}

static bool write_buffer(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                         const void *host, size_t bytes) {
  struct state *state = device->state;
  cl_int code = state->cl->clEnqueueWriteBuffer(queue->handle, to.buffer->handle, 0, (size_t)to.offset, bytes,
                                                host, 0, NULL, NULL);
  keep(state->cl, queue, NULL);
  return code == CL_SUCCESS || failed("clEnqueueWriteBuffer", code);
}

/* Somebody always waits for what is read in the device's own queue; aligned memory is read into directly. */
static bool is_gathered(const struct arc_device *device, const struct arc_queue *queue) {
  return queue == device->sync && !queue->pointed && !queue->foreign && device->alignment <= 1;
}

static bool read_buffer(struct arc_device *device, struct arc_queue *queue, void *host, struct arc_place from,
                        size_t bytes) {
  struct state *state = device->state;
  cl_event made = NULL;
  if (is_gathered(device, queue) &&
      arc_opencl_reads_add(state->cl, state->context, queue->handle, state->reads, host, from.buffer->handle,
                           (size_t)from.offset, bytes)) {
    keep(state->cl, queue, NULL);
    return true;
  }
  cl_int code = state->cl->clEnqueueReadBuffer(queue->handle, from.buffer->handle, 0, (size_t)from.offset,
                                               bytes, host, 0, NULL, event_of(queue, &made));
  keep(state->cl, queue, made);
  return code == CL_SUCCESS || failed("clEnqueueReadBuffer", code);
}

static bool copy(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                 struct arc_place from, size_t bytes) {
  struct state *state = device->state;
  cl_int code = state->cl->clEnqueueCopyBuffer(queue->handle, from.buffer->handle, to.buffer->handle,
                                               (size_t)from.offset, (size_t)to.offset, bytes, 0, NULL, NULL);
  keep(state->cl, queue, NULL);
  return code == CL_SUCCESS || failed("clEnqueueCopyBuffer", code);
}

static bool fill(struct arc_device *device, struct arc_queue *queue, struct arc_place place,
                 unsigned char byte, size_t bytes) {
  struct state *state = device->state;
  cl_int code = state->cl->clEnqueueFillBuffer(queue->handle, place.buffer->handle, &byte, 1,
                                               (size_t)place.offset, bytes, 0, NULL, NULL);
  keep(state->cl, queue, NULL);
  return code == CL_SUCCESS || failed("clEnqueueFillBuffer", code);
}

/* ---- queues ---- */

static void *native(const struct arc_device *device, enum arc_native what) {
  const struct state *state = device->state;
  return what == ARC_NATIVE_DEVICE ? (void *)state->device : (void *)state->context;
}

static bool open_queue(struct arc_device *device, struct arc_queue *queue) {
  struct state *state = device->state;
  cl_int code;
  queue->handle = state->cl->clCreateCommandQueue(state->context, state->device,
                                                  arc_watching() ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
  return queue->handle || failed("clCreateCommandQueue", code);
}

static void close_queue(struct arc_device *device, struct arc_queue *queue) {
  struct state *state = device->state;
  keep(state->cl, queue, NULL);
  state->cl->clReleaseCommandQueue(queue->handle);
}

static bool finish(struct arc_device *device, struct arc_queue *queue) {
  struct state *state = device->state;
  const bool own = queue == device->sync;
  cl_int code = own ? arc_opencl_reads_finish(state->cl, queue->handle, state->reads) : state->cl->clFinish(queue->handle);
  return code == CL_SUCCESS || failed("clFinish", code);
}

/*
 * A marker behind what is queued. One that nothing was queued behind stays the queue's last command: a driver may not
 * have looked at a new one yet although all else is done, and would tell that the queue is busy. The caller holds `lasts`
 * as long as it uses the event.
 */
static cl_event tail(const struct arc_opencl_api *cl, struct arc_queue *queue) {
  bool others_queue = queue->shown || queue->foreign;
  if (queue->last && !others_queue) return queue->last;
  cl_event event;
  cl_int code = cl->clEnqueueMarkerWithWaitList(queue->handle, 0, NULL, &event);
  keep_locked(cl, queue, code == CL_SUCCESS ? event : NULL);
  if (code != CL_SUCCESS) failed("clEnqueueMarkerWithWaitList", code);
  return queue->last;
}

static int test(struct arc_device *device, struct arc_queue *queue) {
  const struct arc_opencl_api *cl = ((struct state *)device->state)->cl;
  pthread_mutex_lock(&lasts);
  cl_event event = tail(cl, queue);
  cl_int status = 1, code = CL_SUCCESS;
  if (event) {
    cl->clFlush(queue->handle);
    code = cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  }
  pthread_mutex_unlock(&lasts);
  if (!event) return -1;
  if (code == CL_SUCCESS && status >= 0) return status == CL_COMPLETE;
  failed("a queued command", code == CL_SUCCESS ? status : code);
  return -1;
}

static bool follow(struct arc_device *device, struct arc_queue *later, struct arc_queue *earlier) {
  const struct arc_opencl_api *cl = ((struct state *)device->state)->cl;
  pthread_mutex_lock(&lasts);
  cl_event event = tail(cl, earlier);
  cl_int code = CL_SUCCESS;
  if (event) {
    cl->clFlush(earlier->handle); /* a wait across queues needs the other one to be on its way */
    code = cl->clEnqueueBarrierWithWaitList(later->handle, 1, &event, NULL);
    keep_locked(cl, later, NULL);
  }
  pthread_mutex_unlock(&lasts);
  if (!event) return false;
  return code == CL_SUCCESS || failed("clEnqueueBarrierWithWaitList", code);
}

/* The device's own clock, in microseconds; negative if it has none. */
static double device_time(const struct arc_opencl_api *cl, cl_event event) {
  cl_ulong nanoseconds = 0;
  cl_int code =
      cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof nanoseconds, &nanoseconds, NULL);
  return code == CL_SUCCESS && nanoseconds ? (double)nanoseconds * 1e-3 : -1;
}

static void *mark(struct arc_device *device, struct arc_queue *queue) {
  struct state *state = device->state;
  if (!state->clock_known) {
    cl_event event = marker(state->cl, queue);
    state->cl->clFinish(queue->handle);
    if (event) state->clock_offset = arc_trace_now() - device_time(state->cl, event);
    if (event) state->cl->clReleaseEvent(event);
    state->clock_known = true;
  }
  keep(state->cl, queue, NULL);
  return marker(state->cl, queue);
}

static double mark_time(struct arc_device *device, void *mark) {
  struct state *state = device->state;
  if (!mark) return arc_trace_now();
  double time = device_time(state->cl, mark);
  state->cl->clReleaseEvent(mark);
  return time < 0 ? arc_trace_now() : time + state->clock_offset;
}

/* ---- programs and kernels ---- */

/* An argument as it was last set; `size` is zero for one that must be set for each launch. */
struct argument {
  size_t size;
  unsigned char bytes[8];
};

struct kernel {
  struct kernel *next;
  cl_kernel handle;
  void *function; /* of a shared object, instead */
  struct argument *arguments;
  size_t narguments;
  uint64_t released; /* `state->released` when they were set */
};

/*
 * A loaded image: a program and its kernels, or a shared object. Kernels with channels, which no driver of a processor
 * supports, are emulated in the shared object.
 */
struct module {
  void *library;
  cl_program program;
  struct kernel *kernels;
};

static void *load_module(struct arc_device *device, const struct arc_image *image) {
  struct state *state = device->state;
  struct module loaded = {0};
  if (arc_image_payload(image, "so")) {
    /* Only there are a kernel's pointers valid in the program. */
    if (!device->in_process) {
      arc_because("it is emulated, and this device is no processor");
      return NULL;
    }
    loaded.library = arc_library_load(image);
  } else {
    loaded.program = arc_opencl_load(state->cl, state->context, state->device, image);
  }
  if (!loaded.library && !loaded.program) return NULL;
  struct module *module = arc_allocate(sizeof *module);
  *module = loaded;
  return module;
}

static void unload(struct arc_device *device, void *handle) {
  struct state *state = device->state;
  struct module *module = handle;
  while (module->kernels) {
    struct kernel *kernel = module->kernels;
    module->kernels = kernel->next;
    if (kernel->handle) state->cl->clReleaseKernel(kernel->handle);
    free(kernel->arguments);
    free(kernel);
  }
  if (module->program) state->cl->clReleaseProgram(module->program);
  free(module);
}

static void *find_kernel(struct arc_device *device, void *handle, const char *name) {
  struct state *state = device->state;
  struct module *module = handle;
  struct kernel *kernel;
  cl_int code;
  if (module->library) {
    void *function = arc_library_kernel(module->library, name);
    if (!function) return NULL;
    kernel = arc_allocate(sizeof *kernel);
    *kernel = (struct kernel){.next = module->kernels, .function = function};
    return module->kernels = kernel;
  }
  cl_kernel found = state->cl->clCreateKernel(module->program, name, &code);
  if (!found) {
    failed("clCreateKernel", code);
    return NULL;
  }
  kernel = arc_allocate(sizeof *kernel);
  *kernel = (struct kernel){.next = module->kernels, .handle = found};
  return module->kernels = kernel;
}

/* A kernel keeps its arguments from launch to launch: setting five takes NVIDIA's driver 0.3 microseconds. */
static cl_int set_argument(const struct arc_opencl_api *cl, struct kernel *kernel, cl_uint index, size_t size,
                           const void *bytes) {
  struct argument *last = &kernel->arguments[index];
  if (last->size == size && memcmp(last->bytes, bytes, size) == 0) return CL_SUCCESS;
  cl_int code = cl->clSetKernelArg(kernel->handle, index, size, bytes);
  const bool known = code == CL_SUCCESS && size <= sizeof last->bytes;
  last->size = known ? size : 0;
  if (known) memcpy(last->bytes, bytes, size);
  return code;
}

/* Room for `n` arguments. What was set is forgotten if a buffer was released, of which it may have the handle. */
static void expect_arguments(const struct state *state, struct kernel *kernel, size_t n) {
  if (kernel->narguments < n) {
    kernel->arguments = arc_resize(kernel->arguments, n * sizeof *kernel->arguments);
    memset(&kernel->arguments[kernel->narguments], 0, (n - kernel->narguments) * sizeof *kernel->arguments);
    kernel->narguments = n;
  }
  if (!n || kernel->released == state->released) return;
  memset(kernel->arguments, 0, kernel->narguments * sizeof *kernel->arguments);
  kernel->released = state->released;
}

static cl_int set_arguments(const struct state *state, struct kernel *kernel, size_t n, const struct arc_pass *passes) {
  const struct arc_opencl_api *cl = state->cl;
  cl_uint index = 0;
  expect_arguments(state, kernel, 2 * n);
  for (size_t i = 0; i < n; i++) {
    const struct arc_pass *pass = &passes[i];
    cl_int code;
    if (pass->is_place) {
      cl_mem memory = pass->place.buffer->handle;
      code = set_argument(cl, kernel, index++, sizeof memory, &memory);
      if (code == CL_SUCCESS)
        code = set_argument(cl, kernel, index++, sizeof pass->place.offset, &pass->place.offset);
    } else {
      code = set_argument(cl, kernel, index++, pass->size, pass->bytes);
    }
    if (code != CL_SUCCESS) {
      arc_because("parameter %zu: %s (%d)", i, arc_opencl_error(code), code);
      return code;
    }
  }
  return CL_SUCCESS;
}

static bool launch(struct arc_device *device, struct arc_queue *queue, void *handle, const int64_t grid[3],
                   const int64_t group[3], size_t n, const struct arc_pass *passes) {
  struct state *state = device->state;
  struct kernel *kernel = handle;
  const struct arc_opencl_api *cl = state->cl;
  size_t global[3], local[3];
  for (int i = 0; i < 3; i++) {
    local[i] = (size_t)group[i];
    global[i] = (size_t)(grid[i] * group[i]);
  }
  pthread_mutex_lock(&state->launching);
  bool good = set_arguments(state, kernel, n, passes) == CL_SUCCESS;
  if (good) {
    cl_event made = NULL;
    cl_int result = cl->clEnqueueNDRangeKernel(queue->handle, kernel->handle, 3, NULL, global, local, 0, NULL,
                                               event_of(queue, &made));
    keep(cl, queue, made);
    good = result == CL_SUCCESS || failed("clEnqueueNDRangeKernel", result);
  }
  pthread_mutex_unlock(&state->launching);
  /* A point does so as well. */
  if (good && queue->async != ARC_SYNC && !queue->pointed) cl->clFlush(queue->handle);
  return good;
}

/* The queue of the k-th kernel that runs concurrently with the one in a launch's queue. */
static struct arc_queue *beside(struct arc_device *device, size_t k) {
  struct state *state = device->state;
  if (k >= state->nbeside) {
    state->beside = arc_resize(state->beside, (k + 1) * sizeof *state->beside);
    memset(&state->beside[k], 0, sizeof *state->beside);
    if (!open_queue(device, &state->beside[k])) return NULL;
    state->nbeside = k + 1;
  }
  return &state->beside[k];
}

/* Only for shared objects: a kernel that is alone in its image is never one. */
static bool emulated(struct arc_device *device, struct arc_queue *queue, size_t count,
                     const struct arc_start *starts) {
  if (!finish(device, queue)) return false;
  struct arc_start *native = arc_allocate(count * sizeof *native);
  for (size_t k = 0; k < count; k++) {
    native[k] = starts[k];
    native[k].kernel = ((struct kernel *)starts[k].kernel)->function;
  }
  bool good = arc_together_run(count, native);
  free(native);
  return good;
}

static bool together(struct arc_device *device, struct arc_queue *queue, size_t count,
                     const struct arc_start *starts) {
  if (((struct kernel *)starts[0].kernel)->function) return emulated(device, queue, count, starts);
  for (size_t k = 0; k < count; k++) {
    struct arc_queue *own = k + 1 < count ? beside(device, k) : queue;
    if (!own || (own != queue && !follow(device, own, queue))) return false;
  }
  for (size_t k = 0; k < count; k++) {
    struct arc_queue *own = k + 1 < count ? beside(device, k) : queue;
    const struct arc_start *start = &starts[k];
    if (!launch(device, own, start->kernel, start->grid, start->group, start->n, start->passes)) return false;
    ((struct state *)device->state)->cl->clFlush(own->handle);
  }
  for (size_t k = 0; k + 1 < count; k++)
    if (!follow(device, queue, beside(device, k))) return false;
  return true;
}

/* ---- addresses ---- */

static bool open_probe(struct state *state) {
  static const char source[] = "__kernel void arc_address(__global char *memory, __global ulong *out) {"
                               " *out = (ulong)memory; }";
  if (state->probe) return true;
  cl_program program =
      arc_opencl_from_source(state->cl, state->context, state->device, source, sizeof source - 1, "");
  if (!program) return false;
  cl_int code;
  state->probe_kernel = state->cl->clCreateKernel(program, "arc_address", &code);
  if (!state->probe_kernel) {
    state->cl->clReleaseProgram(program);
    return failed("clCreateKernel", code);
  }
  state->probe = program;
  return true;
}

static bool address(struct arc_device *device, struct arc_buffer *buffer) {
  struct state *state = device->state;
  if (!open_probe(state)) return false;
  const struct arc_opencl_api *cl = state->cl;
  cl_mem memory = buffer->handle, out = device->nothing->handle;
  cl_command_queue queue = device->sync->handle;
  const size_t one = 1;
  cl_ulong value = 0;
  cl_int code = cl->clSetKernelArg(state->probe_kernel, 0, sizeof memory, &memory);
  if (code == CL_SUCCESS) code = cl->clSetKernelArg(state->probe_kernel, 1, sizeof out, &out);
  if (code == CL_SUCCESS)
    code = cl->clEnqueueNDRangeKernel(queue, state->probe_kernel, 1, NULL, &one, &one, 0, NULL, NULL);
  if (code == CL_SUCCESS)
    code = cl->clEnqueueReadBuffer(queue, out, 1, 0, sizeof value, &value, 0, NULL, NULL);
  buffer->range.start = value;
  return code == CL_SUCCESS || failed("asking for an address", code);
}

const struct arc_backend arc_backend_opencl = {
    .name = "opencl",
    .types = (const char *const[]){"opencl", "accelerator", "cpu", "gpu", "nvidia", "radeon", NULL},
    .payloads = (const char *const[]){"binary", "spirv", "source", "so", NULL},
    .devices = count_devices,
    .open = open_opencl,
    .close = close_opencl,
    .allocate = allocate,
    .release = release,
    .address = address,
    .write = write_buffer,
    .read = read_buffer,
    .copy = copy,
    .fill = fill,
    .native = native,
    .open_queue = open_queue,
    .close_queue = close_queue,
    .finish = finish,
    .test = test,
    .follow = follow,
    .point = point,
    .reached = reached,
    .await = await,
    .forget = forget,
    .pin = pin,
    .unpin = unpin,
    .mark = mark,
    .mark_time = mark_time,
    .load = load_module,
    .unload = unload,
    .kernel = find_kernel,
    .launch = launch,
    .together = together,
};
