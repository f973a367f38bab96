/*
 * A stand-in for libcuda.so.1, for machines without an NVIDIA GPU: enough of the driver interface to prove
 * what the runtime calls, in which order, and with which memory. It is no evidence about real GPUs.
 *
 * Stricter than the real one where that finds mistakes: work of a stream runs only when someone waits for it.
 * A "cubin" is a shared object of functions NAME(void **parameters, const unsigned grid[3], const unsigned
 * block[3]), each with the sizes of its parameters in `const unsigned NAME_sizes[]`, which ends in 0.
 * STAND_IN_LOG names a file that gets one line per call; STAND_IN_MEMORY is a device's memory in bytes, of which there
 * are STAND_IN_DEVICES.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int CUresult;
typedef unsigned long long CUdeviceptr;
enum { OK = 0, INVALID = 1, NO_MEMORY = 2, NO_BINARY = 209, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL = 700 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *log_file;
enum { MOST = 16 };
/* A device's context. */
static struct context {
  size_t used;
} contexts[MOST];
static CUresult sticky;
static _Thread_local struct context *current;

static void note(const char *format, ...) {
  if (!log_file) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(log_file, format, arguments);
  va_end(arguments);
  fflush(log_file);
}

typedef void function(void **, const unsigned *, const unsigned *);
struct kernel {
  struct kernel *next;
  function *code;
  const unsigned *sizes;
  char name[64];
};

struct work {
  struct work *next;
  enum { COPY, FILL, KERNEL, RECORD, WAIT } kind;
  void *to;
  const void *from;
  size_t bytes;
  unsigned char byte;
  struct kernel *kernel;
  unsigned grid[3], block[3];
  void *parameters[32];
  struct event *event;
};

struct stream {
  struct work *first, **last;
};

struct event {
  struct stream *stream; /* where it is recorded and not reached yet */
  double time;
  int holders;
  bool destroyed;
};

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void drop(struct event *event) {
  if (event->destroyed && !event->holders) free(event);
}

static void run_until(struct stream *, const struct event *);

static void run(struct stream *stream, struct work *work) {
  switch (work->kind) {
  case COPY: memmove(work->to, work->from, work->bytes); break;
  case FILL: memset(work->to, work->byte, work->bytes); break;
  case KERNEL:
    note("runs %s\n", work->kernel->name);
    if (strstr(work->kernel->name, "fault"))
      sticky = ILLEGAL;
    else
      work->kernel->code(work->parameters, work->grid, work->block);
    for (int i = 0; work->kernel->sizes[i]; i++) free(work->parameters[i]);
    break;
  case RECORD:
    work->event->time = milliseconds();
    if (work->event->stream == stream) work->event->stream = NULL;
    break;
  case WAIT:
    if (work->event->stream) run_until(work->event->stream, work->event);
    break;
  }
  if (work->event) {
    work->event->holders--;
    drop(work->event);
  }
  free(work);
}

/* NULL: all of it. */
static void run_until(struct stream *stream, const struct event *event) {
  while (stream->first && (!event || event->stream)) {
    struct work *work = stream->first;
    stream->first = work->next;
    if (!stream->first) stream->last = &stream->first;
    run(stream, work);
  }
}

static CUresult push(struct stream *stream, struct work work) {
  struct work *copy = malloc(sizeof *copy);
  *copy = work;
  copy->next = NULL;
  *stream->last = copy;
  stream->last = &copy->next;
  return sticky;
}

#define LOCKED(...)          \
  pthread_mutex_lock(&lock); \
  __VA_ARGS__;               \
  pthread_mutex_unlock(&lock)

CUresult cuInit(unsigned flags) {
  const char *name = getenv("STAND_IN_LOG");
  if (name) log_file = fopen(name, "w");
  note("cuInit %u\n", flags);
  return OK;
}
CUresult cuGetErrorName(CUresult code, const char **text) {
  *text = code == NO_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == NO_BINARY ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : code == ILLEGAL   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : code == NOT_FOUND ? "CUDA_ERROR_NOT_FOUND"
                              : "CUDA_ERROR_INVALID_VALUE";
  return OK;
}
CUresult cuGetErrorString(CUresult code, const char **text) {
  *text = code == ILLEGAL ? "an illegal memory access was encountered" : "what the driver would say";
  return OK;
}
CUresult cuDriverGetVersion(int *version) { return *version = 13000, OK; }
static int devices(void) {
  const char *text = getenv("STAND_IN_DEVICES");
  return text ? atoi(text) : 1;
}
CUresult cuDeviceGetCount(int *count) { return *count = devices(), OK; }
CUresult cuDeviceGet(int *device, int ordinal) { return *device = ordinal, ordinal < devices() ? OK : 101; }
CUresult cuDeviceGetName(char *name, int size, int device) {
  (void)device;
  return snprintf(name, (size_t)size, "stand-in"), OK;
}
CUresult cuDeviceGetPCIBusId(char *bus, int size, int device) {
  return snprintf(bus, (size_t)size, "0000:%02X:00.0", 0x1b + device), OK;
}
static size_t memory(void) {
  const char *text = getenv("STAND_IN_MEMORY");
  return text ? strtoull(text, NULL, 10) : (size_t)1 << 30;
}
CUresult cuDeviceTotalMem_v2(size_t *bytes, int device) {
  (void)device;
  return *bytes = memory(), OK;
}
CUresult cuDeviceGetAttribute(int *value, int which, int device) {
  (void)device;
  *value = which == 1 ? 1024 : which == 16 ? 4 : which == 75 ? 9 : which == 89 ? 1 : which == 13 ? 1000000 : which == 36 ? 1000000 : which == 37 ? 512 : 0;
  return OK;
}
CUresult cuDevicePrimaryCtxRetain(void **context, int device) {
  return *context = &contexts[device], OK;
}
CUresult cuDevicePrimaryCtxRelease_v2(int device) {
  note("cuDevicePrimaryCtxRelease used=%zu\n", contexts[device].used);
  return OK;
}
CUresult cuCtxSetCurrent(void *context) { return current = context, OK; }
CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
  *available = memory() - current->used;
  *total = memory();
  return OK;
}

static CUresult allocate(CUdeviceptr *address, size_t bytes) {
  if (!current) return 201; /* no context in this thread */
  if (!bytes) return INVALID;
  if (bytes > memory() - current->used) return NO_MEMORY;
  size_t *block = malloc(bytes + 64); /* the size and whose it is, then the memory */
  block[0] = bytes;
  block[1] = (size_t)(current - contexts);
  current->used += bytes;
  *address = (uintptr_t)block + 64;
  return OK;
}
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  LOCKED(CUresult code = allocate(address, bytes); note("cuMemAlloc %zu -> %d\n", bytes, code));
  return code;
}
CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  LOCKED(CUresult code = flags == 1 ? allocate(address, bytes) : INVALID;
         note("cuMemAllocManaged %zu\n", bytes));
  return code;
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  pthread_mutex_lock(&lock);
  size_t *block = (size_t *)(uintptr_t)(address - 64);
  note("cuMemFree %zu\n", *block);
  contexts[block[1]].used -= *block;
  free(block);
  pthread_mutex_unlock(&lock);
  return OK;
}
static size_t pinned;
CUresult cuMemHostAlloc(void **block, size_t bytes, unsigned flags) {
  (void)flags;
  const char *most = getenv("STAND_IN_PINNED");
  LOCKED(bool fits = !most || pinned + bytes <= strtoull(most, NULL, 10); if (fits) pinned += bytes;
         note("cuMemHostAlloc %zu\n", bytes));
  return fits ? (*block = malloc(bytes), OK) : NO_MEMORY;
}
CUresult cuMemFreeHost(void *block) {
  LOCKED(note("cuMemFreeHost\n"));
  return free(block), OK;
}
/* It knows no pinned memory of the program's own. */
CUresult cuPointerGetAttribute(void *value, int which, CUdeviceptr address) {
  (void)value;
  (void)which;
  (void)address;
  return INVALID;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, struct stream *stream) {
  struct work work = {.kind = COPY, .to = (void *)(uintptr_t)to, .from = from, .bytes = bytes};
  LOCKED(note("cuMemcpyHtoDAsync %zu\n", bytes); CUresult code = push(stream, work));
  return code;
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, struct stream *stream) {
  struct work work = {.kind = COPY, .to = to, .from = (void *)(uintptr_t)from, .bytes = bytes};
  LOCKED(note("cuMemcpyDtoHAsync %zu\n", bytes); CUresult code = push(stream, work));
  return code;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, struct stream *stream) {
  struct work work = {
      .kind = COPY, .to = (void *)(uintptr_t)to, .from = (void *)(uintptr_t)from, .bytes = bytes};
  LOCKED(note("cuMemcpyDtoDAsync %zu\n", bytes); CUresult code = push(stream, work));
  return code;
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, void *to_context, CUdeviceptr from, void *from_context, size_t bytes,
                           struct stream *stream) {
  struct work work = {.kind = COPY, .to = (void *)(uintptr_t)to, .from = (void *)(uintptr_t)from, .bytes = bytes};
  LOCKED(note("cuMemcpyPeerAsync %zu\n", bytes);
         CUresult code = to_context != from_context ? push(stream, work) : INVALID);
  return code;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char byte, size_t bytes, struct stream *stream) {
  struct work work = {.kind = FILL, .to = (void *)(uintptr_t)to, .byte = byte, .bytes = bytes};
  LOCKED(note("cuMemsetD8Async %zu\n", bytes); CUresult code = push(stream, work));
  return code;
}

CUresult cuStreamCreate(struct stream **stream, unsigned flags) {
  *stream = calloc(1, sizeof **stream);
  (*stream)->last = &(*stream)->first;
  LOCKED(note("cuStreamCreate %u\n", flags));
  return OK;
}
CUresult cuStreamDestroy_v2(struct stream *stream) {
  LOCKED(run_until(stream, NULL); free(stream));
  return OK;
}
CUresult cuStreamSynchronize(struct stream *stream) {
  LOCKED(note("cuStreamSynchronize\n"); run_until(stream, NULL));
  return sticky;
}
CUresult cuStreamQuery(struct stream *stream) {
  LOCKED(bool busy = stream->first; run_until(stream, NULL));
  return sticky ? sticky : busy ? NOT_READY : OK;
}
CUresult cuStreamWaitEvent(struct stream *stream, struct event *event, unsigned flags) {
  (void)flags;
  LOCKED(note("cuStreamWaitEvent\n"); event->holders++;
         CUresult code = push(stream, (struct work){.kind = WAIT, .event = event}));
  return code;
}
CUresult cuEventCreate(struct event **event, unsigned flags) {
  (void)flags;
  return *event = calloc(1, sizeof **event), OK;
}
CUresult cuEventRecord(struct event *event, struct stream *stream) {
  LOCKED(event->stream = stream; event->holders++;
         CUresult code = push(stream, (struct work){.kind = RECORD, .event = event}));
  return code;
}
CUresult cuEventSynchronize(struct event *event) {
  LOCKED(if (event->stream) run_until(event->stream, event));
  return sticky;
}
CUresult cuEventQuery(struct event *event) {
  LOCKED(bool busy = event->stream; if (busy) run_until(event->stream, event));
  return sticky ? sticky : busy ? NOT_READY : OK;
}
CUresult cuEventElapsedTime(float *time, struct event *begin, struct event *end) {
  LOCKED(bool ready = !begin->stream && !end->stream; *time = (float)(end->time - begin->time));
  return ready ? OK : NOT_READY;
}
CUresult cuEventDestroy_v2(struct event *event) {
  LOCKED(event->destroyed = true; drop(event));
  return OK;
}

struct module {
  void *library;
  struct kernel *kernels;
};

CUresult cuModuleLoadDataEx(struct module **module, const char *image, unsigned n, int *options,
                            void **values) {
  uint64_t size; /* the tests put the size of the shared object in front of it */
  for (unsigned i = 0; i < n; i++)
    if (options[i] == 5) strcpy(values[i], "what ptxas would say");
  if (memcmp(image, "wrong", 5) == 0) return NO_BINARY;
  memcpy(&size, image, sizeof size);
  /* What a test that is killed leaves here goes with the folder of its run. */
  const char *folder = getenv("TMPDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/arc-stand-in-XXXXXX", folder ? folder : "/tmp");
  int file = mkstemp(path);
  if (file < 0) return INVALID;
  bool whole = write(file, image + sizeof size, size) == (ssize_t)size;
  close(file);
  if (!whole) return unlink(path), INVALID;
  *module = calloc(1, sizeof **module);
  (*module)->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  unlink(path);
  LOCKED(note("cuModuleLoadDataEx\n"));
  return (*module)->library ? OK : INVALID;
}
CUresult cuModuleUnload(struct module *module) {
  LOCKED(note("cuModuleUnload\n"));
  while (module->kernels) {
    struct kernel *kernel = module->kernels;
    module->kernels = kernel->next;
    free(kernel);
  }
  dlclose(module->library);
  free(module);
  return OK;
}
CUresult cuModuleGetFunction(struct kernel **kernel, struct module *module, const char *name) {
  char sizes[80];
  snprintf(sizes, sizeof sizes, "%s_sizes", name);
  void *code = dlsym(module->library, name), *table = dlsym(module->library, sizes);
  if (!code || !table) return NOT_FOUND;
  *kernel = calloc(1, sizeof **kernel);
  memcpy(&(*kernel)->code, &code, sizeof code);
  (*kernel)->sizes = table;
  snprintf((*kernel)->name, sizeof(*kernel)->name, "%s", name);
  (*kernel)->next = module->kernels;
  module->kernels = *kernel;
  return OK;
}
CUresult cuLaunchKernel(struct kernel *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, struct stream *stream, void **parameters,
                        void **extra) {
  if (!current) return 201;
  if (!gx || !gy || !gz || bx * by * bz > 1024 || shared || extra) return INVALID;
  struct work work = {.kind = KERNEL, .kernel = kernel, .grid = {gx, gy, gz}, .block = {bx, by, bz}};
  for (int i = 0; kernel->sizes[i]; i++) {
    work.parameters[i] = malloc(kernel->sizes[i]);
    memcpy(work.parameters[i], parameters[i], kernel->sizes[i]);
  }
  LOCKED(note("cuLaunchKernel %s %u %u %u  %u %u %u\n", kernel->name, gx, gy, gz, bx, by, bz);
         CUresult code = push(stream, work));
  return code;
}

/* Graphs: chains of kernels, each after the one that was added before it. */
struct graph_node {
  struct kernel *kernel;
  unsigned grid[3], block[3];
  void *parameters[32];
};
struct graph {
  struct graph_node *nodes[64];
  size_t count;
};
struct executable {
  struct graph_node nodes[64];
  struct graph *of;
};
struct node_parameters {
  struct kernel *kernel;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
  void *own_kernel, *own_context;
};

static void clear(struct graph_node *node) {
  for (int i = 0; node->kernel && node->kernel->sizes[i]; i++) free(node->parameters[i]);
}
static void fill(struct graph_node *node, struct kernel *kernel, const unsigned *grid, const unsigned *block,
                 void **parameters) {
  node->kernel = kernel;
  memcpy(node->grid, grid, sizeof node->grid);
  memcpy(node->block, block, sizeof node->block);
  for (int i = 0; kernel->sizes[i]; i++) {
    node->parameters[i] = malloc(kernel->sizes[i]);
    memcpy(node->parameters[i], parameters[i], kernel->sizes[i]);
  }
}
static bool refused(const struct node_parameters *p) {
  return getenv("STAND_IN_NO_GRAPHS") || !current || p->shared || p->extra || p->own_kernel || p->own_context;
}
CUresult cuGraphCreate(struct graph **graph, unsigned flags) {
  return *graph = calloc(1, sizeof **graph), flags ? INVALID : OK;
}
CUresult cuGraphAddKernelNode_v2(struct graph_node **node, struct graph *graph, struct graph_node *const *after,
                                 size_t n, const struct node_parameters *p) {
  if (refused(p) || n != (graph->count > 0) || (n && *after != graph->nodes[graph->count - 1])) return INVALID;
  *node = calloc(1, sizeof **node);
  fill(*node, p->kernel, p->grid, p->block, p->parameters);
  graph->nodes[graph->count++] = *node;
  return OK;
}
CUresult cuGraphInstantiateWithFlags(struct executable **executable, struct graph *graph, unsigned long long flags) {
  *executable = calloc(1, sizeof **executable);
  (*executable)->of = graph;
  for (size_t i = 0; i < graph->count; i++) {
    const struct graph_node *node = graph->nodes[i];
    fill(&(*executable)->nodes[i], node->kernel, node->grid, node->block, (void **)node->parameters);
  }
  LOCKED(note("cuGraphInstantiate\n"));
  return flags ? INVALID : OK;
}
CUresult cuGraphExecKernelNodeSetParams_v2(struct executable *executable, struct graph_node *node,
                                           const struct node_parameters *p) {
  if (refused(p)) return INVALID;
  for (size_t i = 0; i < executable->of->count; i++) {
    if (executable->of->nodes[i] != node) continue;
    clear(&executable->nodes[i]);
    fill(&executable->nodes[i], p->kernel, p->grid, p->block, p->parameters);
    LOCKED(note("cuGraphExecKernelNodeSetParams\n"));
    return OK;
  }
  return INVALID;
}
CUresult cuGraphLaunch(struct executable *executable, struct stream *stream) {
  if (!current) return 201;
  CUresult code = OK;
  LOCKED(note("cuGraphLaunch\n"); for (size_t i = 0; i < executable->of->count; i++) {
    struct graph_node *node = &executable->nodes[i];
    struct work work = {.kind = KERNEL, .kernel = node->kernel};
    memcpy(work.grid, node->grid, sizeof work.grid);
    memcpy(work.block, node->block, sizeof work.block);
    for (int k = 0; node->kernel->sizes[k]; k++)
      work.parameters[k] = memcpy(malloc(node->kernel->sizes[k]), node->parameters[k], node->kernel->sizes[k]);
    code = push(stream, work);
  });
  return code;
}
CUresult cuGraphExecDestroy(struct executable *executable) {
  for (size_t i = 0; i < executable->of->count; i++) clear(&executable->nodes[i]);
  return free(executable), OK;
}
CUresult cuGraphDestroy(struct graph *graph) {
  for (size_t i = 0; i < graph->count; i++) {
    clear(graph->nodes[i]);
    free(graph->nodes[i]);
  }
  return free(graph), OK;
}
