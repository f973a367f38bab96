/*
 * backend_opencl.c: OpenCL 1.2 devices.
 *
 * A buffer is a cl_mem, which hides its device address. A kernel parameter is therefore two: the memory, and
 * the bytes from its start to where the host's pointer would point. Where a program needs the address itself
 * (attach, acc_deviceptr), a kernel of one work-item tells it.
 */
#include "backend/opencl/opencl_program.h"
#include "backend/opencl/opencl_state.h"
#include "report/spans.h"
#include "report/text.h"
#include <stdlib.h>

bool arc_opencl_failed(const char *call, cl_int code) {
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
  struct arc_opencl_state *state = arc_allocate(sizeof *state);
  state->cl = cl;
  state->device = devices.ids[device->ordinal];
  free(devices.ids);
  cl_int code;
  state->context = cl->clCreateContext(NULL, 1, &state->device, NULL, NULL, &code);
  if (!state->context) {
    free(state);
    return arc_opencl_failed("clCreateContext", code);
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
  struct arc_opencl_state *state = device->state;
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

/* ---- memory ---- */

static bool allocate(struct arc_device *device, struct arc_buffer *buffer) {
  struct arc_opencl_state *state = device->state;
  cl_int code;
  buffer->handle = state->cl->clCreateBuffer(state->context, CL_MEM_READ_WRITE, buffer->bytes, NULL, &code);
  return buffer->handle || arc_opencl_failed("clCreateBuffer", code);
}

static void release(struct arc_device *device, struct arc_buffer *buffer) {
  struct arc_opencl_state *state = device->state;
  state->cl->clReleaseMemObject(buffer->handle);
  pthread_mutex_lock(&state->launching);
  state->released++;
  pthread_mutex_unlock(&state->launching);
}

static bool write_buffer(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                         const void *host, size_t bytes) {
  struct arc_opencl_state *state = device->state;
  cl_int code = state->cl->clEnqueueWriteBuffer(queue->handle, to.buffer->handle, 0, (size_t)to.offset, bytes,
                                                host, 0, NULL, NULL);
  arc_opencl_keep(state->cl, queue, NULL);
  return code == CL_SUCCESS || arc_opencl_failed("clEnqueueWriteBuffer", code);
}

/* Somebody always waits for what is read in the device's own queue; aligned memory is read into directly. */
static bool is_gathered(const struct arc_device *device, const struct arc_queue *queue) {
  return queue == device->sync && !queue->pointed && !queue->foreign && device->alignment <= 1;
}

static bool read_buffer(struct arc_device *device, struct arc_queue *queue, void *host, struct arc_place from,
                        size_t bytes) {
  struct arc_opencl_state *state = device->state;
  cl_event made = NULL;
  if (is_gathered(device, queue) &&
      arc_opencl_reads_add(state->cl, state->context, queue->handle, state->reads, host, from.buffer->handle,
                           (size_t)from.offset, bytes)) {
    arc_opencl_keep(state->cl, queue, NULL);
    return true;
  }
  cl_int code = state->cl->clEnqueueReadBuffer(queue->handle, from.buffer->handle, 0, (size_t)from.offset,
                                               bytes, host, 0, NULL, arc_opencl_event_of(queue, &made));
  arc_opencl_keep(state->cl, queue, made);
  return code == CL_SUCCESS || arc_opencl_failed("clEnqueueReadBuffer", code);
}

static bool copy(struct arc_device *device, struct arc_queue *queue, struct arc_place to,
                 struct arc_place from, size_t bytes) {
  struct arc_opencl_state *state = device->state;
  cl_int code = state->cl->clEnqueueCopyBuffer(queue->handle, from.buffer->handle, to.buffer->handle,
                                               (size_t)from.offset, (size_t)to.offset, bytes, 0, NULL, NULL);
  arc_opencl_keep(state->cl, queue, NULL);
  return code == CL_SUCCESS || arc_opencl_failed("clEnqueueCopyBuffer", code);
}

static bool fill(struct arc_device *device, struct arc_queue *queue, struct arc_place place,
                 unsigned char byte, size_t bytes) {
  struct arc_opencl_state *state = device->state;
  cl_int code = state->cl->clEnqueueFillBuffer(queue->handle, place.buffer->handle, &byte, 1,
                                               (size_t)place.offset, bytes, 0, NULL, NULL);
  arc_opencl_keep(state->cl, queue, NULL);
  return code == CL_SUCCESS || arc_opencl_failed("clEnqueueFillBuffer", code);
}

/* What drivers allocate for the host themselves is pinned. */
static bool pin(struct arc_device *device, struct arc_queue *queue, size_t bytes, struct arc_pinned *pinned) {
  struct arc_opencl_state *state = device->state;
  cl_int code;
  cl_mem memory = state->cl->clCreateBuffer(state->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
  if (!memory) return arc_opencl_failed("clCreateBuffer", code);
  *pinned = (struct arc_pinned){NULL, memory};
  pinned->bytes = state->cl->clEnqueueMapBuffer(queue->handle, memory, 1, CL_MAP_READ_AND_WRITE, 0, bytes, 0, NULL, NULL, &code);
  if (pinned->bytes) return true;
  state->cl->clReleaseMemObject(memory);
  return arc_opencl_failed("clEnqueueMapBuffer", code);
}

static void unpin(struct arc_device *device, struct arc_queue *queue, struct arc_pinned *pinned) {
  const struct arc_opencl_api *cl = ((struct arc_opencl_state *)device->state)->cl;
  cl->clEnqueueUnmapMemObject(queue->handle, pinned->handle, pinned->bytes, 0, NULL, NULL);
  cl->clFinish(queue->handle);
  cl->clReleaseMemObject(pinned->handle);
}

/* ---- queues ---- */

static void *native(const struct arc_device *device, enum arc_native what) {
  const struct arc_opencl_state *state = device->state;
  return what == ARC_NATIVE_DEVICE ? (void *)state->device : (void *)state->context;
}

bool arc_opencl_open_queue(struct arc_device *device, struct arc_queue *queue) {
  struct arc_opencl_state *state = device->state;
  cl_int code;
  queue->handle = state->cl->clCreateCommandQueue(state->context, state->device,
                                                  arc_watching() ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
  return queue->handle || arc_opencl_failed("clCreateCommandQueue", code);
}

static void close_queue(struct arc_device *device, struct arc_queue *queue) {
  struct arc_opencl_state *state = device->state;
  arc_opencl_keep(state->cl, queue, NULL);
  state->cl->clReleaseCommandQueue(queue->handle);
}

bool arc_opencl_finish(struct arc_device *device, struct arc_queue *queue) {
  struct arc_opencl_state *state = device->state;
  const bool own = queue == device->sync;
  cl_int code = own ? arc_opencl_reads_finish(state->cl, queue->handle, state->reads) : state->cl->clFinish(queue->handle);
  return code == CL_SUCCESS || arc_opencl_failed("clFinish", code);
}

/* ---- addresses ---- */

static bool open_probe(struct arc_opencl_state *state) {
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
    return arc_opencl_failed("clCreateKernel", code);
  }
  state->probe = program;
  return true;
}

static bool address(struct arc_device *device, struct arc_buffer *buffer) {
  struct arc_opencl_state *state = device->state;
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
  return code == CL_SUCCESS || arc_opencl_failed("asking for an address", code);
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
    .open_queue = arc_opencl_open_queue,
    .close_queue = close_queue,
    .finish = arc_opencl_finish,
    .test = arc_opencl_test,
    .follow = arc_opencl_follow,
    .point = arc_opencl_point,
    .reached = arc_opencl_reached,
    .await = arc_opencl_await,
    .forget = arc_opencl_forget,
    .pin = pin,
    .unpin = unpin,
    .mark = arc_opencl_mark,
    .mark_time = arc_opencl_mark_time,
    .load = arc_opencl_load_module,
    .unload = arc_opencl_unload,
    .kernel = arc_opencl_find_kernel,
    .launch = arc_opencl_launch,
    .together = arc_opencl_together,
};
