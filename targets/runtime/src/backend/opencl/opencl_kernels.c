/* opencl_kernels.c: programs, their kernels, and starts of these with arguments. */
#include "backend/host/code.h"
#include "backend/host/together.h"
#include "backend/opencl/opencl_program.h"
#include "backend/opencl/opencl_state.h"
#include "image/library.h"
#include <stdlib.h>
#include <string.h>

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

void *arc_opencl_load_module(struct arc_device *device, const struct arc_image *image) {
  struct arc_opencl_state *state = device->state;
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

void arc_opencl_unload(struct arc_device *device, void *handle) {
  struct arc_opencl_state *state = device->state;
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

void *arc_opencl_find_kernel(struct arc_device *device, void *handle, const char *name) {
  struct arc_opencl_state *state = device->state;
  struct module *module = handle;
  struct kernel *kernel;
  cl_int code;
  if (module->library) {
    struct arc_host_code *function = arc_host_code_find(module->library, name);
    if (!function) return NULL;
    kernel = arc_allocate(sizeof *kernel);
    *kernel = (struct kernel){.next = module->kernels, .function = function};
    return module->kernels = kernel;
  }
  cl_kernel found = state->cl->clCreateKernel(module->program, name, &code);
  if (!found) {
    arc_opencl_failed("clCreateKernel", code);
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
static void expect_arguments(const struct arc_opencl_state *state, struct kernel *kernel, size_t n) {
  if (kernel->narguments < n) {
    kernel->arguments = arc_resize(kernel->arguments, n * sizeof *kernel->arguments);
    memset(&kernel->arguments[kernel->narguments], 0, (n - kernel->narguments) * sizeof *kernel->arguments);
    kernel->narguments = n;
  }
  if (!n || kernel->released == state->released) return;
  memset(kernel->arguments, 0, kernel->narguments * sizeof *kernel->arguments);
  kernel->released = state->released;
}

static cl_int set_arguments(const struct arc_opencl_state *state, struct kernel *kernel, size_t n, const struct arc_pass *passes) {
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

bool arc_opencl_launch(struct arc_device *device, struct arc_queue *queue, void *handle, const int64_t grid[3],
                   const int64_t group[3], size_t n, const struct arc_pass *passes) {
  struct arc_opencl_state *state = device->state;
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
                                               arc_opencl_event_of(queue, &made));
    arc_opencl_keep(cl, queue, made);
    good = result == CL_SUCCESS || arc_opencl_failed("clEnqueueNDRangeKernel", result);
  }
  pthread_mutex_unlock(&state->launching);
  /* A point does so as well. */
  if (good && queue->async != ARC_SYNC && !queue->pointed) cl->clFlush(queue->handle);
  return good;
}

/* The queue of the k-th kernel that runs concurrently with the one in a launch's queue. */
static struct arc_queue *beside(struct arc_device *device, size_t k) {
  struct arc_opencl_state *state = device->state;
  if (k >= state->nbeside) {
    state->beside = arc_resize(state->beside, (k + 1) * sizeof *state->beside);
    memset(&state->beside[k], 0, sizeof *state->beside);
    if (!arc_opencl_open_queue(device, &state->beside[k])) return NULL;
    state->nbeside = k + 1;
  }
  return &state->beside[k];
}

/* Only for shared objects: a kernel that is alone in its image is never one. */
static bool emulated(struct arc_device *device, struct arc_queue *queue, size_t count,
                     const struct arc_start *starts) {
  if (!arc_opencl_finish(device, queue)) return false;
  struct arc_start *native = arc_allocate(count * sizeof *native);
  for (size_t k = 0; k < count; k++) {
    native[k] = starts[k];
    native[k].kernel = ((struct kernel *)starts[k].kernel)->function;
  }
  bool good = arc_together_run(count, native);
  free(native);
  return good;
}

bool arc_opencl_together(struct arc_device *device, struct arc_queue *queue, size_t count,
                     const struct arc_start *starts) {
  if (((struct kernel *)starts[0].kernel)->function) return emulated(device, queue, count, starts);
  for (size_t k = 0; k < count; k++) {
    struct arc_queue *own = k + 1 < count ? beside(device, k) : queue;
    if (!own || (own != queue && !arc_opencl_follow(device, own, queue))) return false;
  }
  for (size_t k = 0; k < count; k++) {
    struct arc_queue *own = k + 1 < count ? beside(device, k) : queue;
    const struct arc_start *start = &starts[k];
    if (!arc_opencl_launch(device, own, start->kernel, start->grid, start->group, start->n, start->passes)) return false;
    ((struct arc_opencl_state *)device->state)->cl->clFlush(own->handle);
  }
  for (size_t k = 0; k + 1 < count; k++)
    if (!arc_opencl_follow(device, queue, beside(device, k))) return false;
  return true;
}
