/*
 * gpu_driver.h: the common interface of NVIDIA's and AMD's drivers, loaded at run time. CUDA's and HIP's functions map
 * one to one; a back end (backend_cuda.c, backend_hip.c) provides their names, and the differences.
 */
#ifndef ARC_GPU_DRIVER_H
#define ARC_GPU_DRIVER_H
#include "backend/gpu/gpu_compiler.h"
#include "device/device.h"
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers that both drivers use. */
enum {
  GPU_SUCCESS = 0,
  GPU_ERROR_DEINITIALIZED = 4,
  GPU_ERROR_NO_BINARY = 209,
  GPU_ERROR_NOT_READY = 600,
  GPU_STREAM_NON_BLOCKING = 1,
  GPU_EVENT_DISABLE_TIMING = 2,
  GPU_ATTACH_GLOBAL = 1,
  GPU_POINTER_MEMORY_TYPE = 2,
  GPU_JIT_ERROR_LOG_BUFFER = 5,
  GPU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
};

typedef int gpu_result;
typedef int gpu_device;
typedef uint64_t gpu_address;
typedef struct gpu_context *gpu_context;
typedef struct gpu_module *gpu_module;
typedef struct gpu_function *gpu_function;
typedef struct gpu_stream *gpu_stream;
typedef struct gpu_event *gpu_event;
typedef struct gpu_graph *gpu_graph;
typedef struct gpu_node *gpu_node;
typedef struct gpu_executable *gpu_executable;

#define ARC_GPU_FUNCTIONS(F)                                                                      \
  F(init, (unsigned))                                                                             \
  F(driver_version, (int *))                                                                      \
  F(device_count, (int *))                                                                        \
  F(device_get, (gpu_device *, int))                                                              \
  F(device_name, (char *, int, gpu_device))                                                       \
  F(device_bus, (char *, int, gpu_device))                                                        \
  F(device_memory, (size_t *, gpu_device))                                                        \
  F(device_attribute, (int *, int, gpu_device))                                                   \
  F(context_retain, (gpu_context *, gpu_device))                                                  \
  F(context_release, (gpu_device))                                                                \
  F(context_bind, (gpu_context))                                                                  \
  F(memory_info, (size_t *, size_t *))                                                            \
  F(allocate, (gpu_address *, size_t))                                                            \
  F(allocate_managed, (gpu_address *, size_t, unsigned))                                          \
  F(release, (gpu_address))                                                                       \
  F(host_allocate, (void **, size_t, unsigned))                                                   \
  F(host_release, (void *))                                                                       \
  F(pointer_attribute, (void *, int, gpu_address))                                                \
  F(write, (gpu_address, const void *, size_t, gpu_stream))                                       \
  F(read, (void *, gpu_address, size_t, gpu_stream))                                              \
  F(copy, (gpu_address, gpu_address, size_t, gpu_stream))                                         \
  F(copy_across, (gpu_address, gpu_context, gpu_address, gpu_context, size_t, gpu_stream))        \
  F(fill, (gpu_address, unsigned char, size_t, gpu_stream))                                       \
  F(stream_create, (gpu_stream *, unsigned))                                                      \
  F(stream_destroy, (gpu_stream))                                                                 \
  F(stream_synchronize, (gpu_stream))                                                             \
  F(stream_query, (gpu_stream))                                                                   \
  F(stream_wait, (gpu_stream, gpu_event, unsigned))                                               \
  F(event_create, (gpu_event *, unsigned))                                                        \
  F(event_record, (gpu_event, gpu_stream))                                                        \
  F(event_synchronize, (gpu_event))                                                               \
  F(event_query, (gpu_event))                                                                     \
  F(event_elapsed, (float *, gpu_event, gpu_event))                                               \
  F(event_destroy, (gpu_event))                                                                   \
  F(module_load, (gpu_module *, const void *, unsigned, int *, void **))                          \
  F(module_unload, (gpu_module))                                                                  \
  F(module_function, (gpu_function *, gpu_module, const char *))                                  \
  F(launch, (gpu_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
             gpu_stream, void **, void **))

#define ARC_GPU_POINTER(name, parameters) gpu_result(*name) parameters;
#define ARC_GPU_NAME(name, parameters) const char *name;
struct arc_gpu_functions {
  ARC_GPU_FUNCTIONS(ARC_GPU_POINTER)
};
struct arc_gpu_names {
  ARC_GPU_FUNCTIONS(ARC_GPU_NAME)
};
#undef ARC_GPU_POINTER
#undef ARC_GPU_NAME

/* A graph node for a launch, as in CUDA's driver from version 12 on. */
struct arc_gpu_node_parameters {
  gpu_function code;
  unsigned grid[3], group[3], shared;
  void **arguments, **extra;
  void *kernel, *context; /* of the code's own where NULL */
};

/* Graph functions; all are NULL if one is missing. */
struct arc_gpu_graphs {
  gpu_result (*create)(gpu_graph *, unsigned);
  gpu_result (*add_kernel)(gpu_node *, gpu_graph, const gpu_node *after, size_t,
                           const struct arc_gpu_node_parameters *);
  gpu_result (*instantiate)(gpu_executable *, gpu_graph, unsigned long long);
  gpu_result (*set_kernel)(gpu_executable, gpu_node, const struct arc_gpu_node_parameters *);
  gpu_result (*launch)(gpu_executable, gpu_stream);
  gpu_result (*executable_destroy)(gpu_executable);
  gpu_result (*destroy)(gpu_graph);
};

/* A back end's description of its driver. */
struct arc_gpu_maker {
  const char *title;         /* for messages: CUDA */
  const char *vendor;
  const char *architecture; /* a format of the architecture's two numbers: sm_%d%d */
  const char *variable;      /* of the environment: the library, where it has another name */
  const char *const *files;  /* its usual names, ends in NULL; what the first one lacks is told */
  struct arc_gpu_names names; /* of its functions, NULL: it is not used; `_v2` is left out of messages */
  struct {
    int threads_per_block, multiprocessors, concurrent_managed;
    int major, minor; /* of its architecture */
    int clock; /* of multiprocessors, kHz; 0: not asked for */
    int memory_clock, memory_bus; /* kHz, with two transfers a clock, and bits; 0: not asked for */
  } attributes;
  /* Lanes of a multiprocessor that multiply and add per clock, by architecture; NULL: unknown. */
  struct arc_operations (*lanes)(int major, int minor);
  int version_major, version_minor; /* divisors of the driver's version, the second after the first's remainder */
  const struct arc_gpu_compiler_maker *compiler; /* of kernels from text */
  const struct arc_gpu_graphs *graphs; /* filled by `find`; NULL: it is used without */
  /* Looks up functions whose names differ from the table. Returns the name of a missing one, or NULL. */
  const char *(*find)(void *library);
  /* Name and meaning of an error; either may be left unchanged. */
  void (*describe)(gpu_result, const char **name, const char **meaning);
};

struct arc_gpu_driver {
  const struct arc_gpu_maker *maker;
  struct arc_gpu_functions call;
  pthread_once_t once;
  bool good;
  char *problem;
};

/* Whether it is open and initialised; otherwise false, with arc_because(). */
bool arc_gpu_open_driver(struct arc_gpu_driver *, void (*open_once)(void));
/* What `open_once` does. */
void arc_gpu_find_driver(struct arc_gpu_driver *);
/* "call: CUDA_ERROR_NAME (2): what it means" as the reason. Returns false. */
bool arc_gpu_failed(const struct arc_gpu_driver *, const char *call, gpu_result);

/* Specific to a back end. */
int arc_gpu_devices(struct arc_gpu_driver *, void (*open_once)(void));
bool arc_gpu_open(struct arc_device *, struct arc_gpu_driver *, void (*open_once)(void));

/* Shared by all of them, in gpu_backend.c. */
void arc_gpu_close(struct arc_device *);
uint64_t arc_gpu_free_memory(struct arc_device *);
void *arc_gpu_native(const struct arc_device *, enum arc_native);
bool arc_gpu_allocate(struct arc_device *, struct arc_buffer *);
void arc_gpu_release(struct arc_device *, struct arc_buffer *);
bool arc_gpu_allocate_unified(struct arc_device *, struct arc_buffer *);
bool arc_gpu_write(struct arc_device *, struct arc_queue *, struct arc_place, const void *, size_t);
bool arc_gpu_read(struct arc_device *, struct arc_queue *, void *, struct arc_place, size_t);
bool arc_gpu_copy(struct arc_device *, struct arc_queue *, struct arc_place, struct arc_place, size_t);
bool arc_gpu_copy_across(struct arc_device *, struct arc_queue *, struct arc_place, struct arc_device *,
                         struct arc_place, size_t);
bool arc_gpu_fill(struct arc_device *, struct arc_queue *, struct arc_place, unsigned char, size_t);
bool arc_gpu_open_queue(struct arc_device *, struct arc_queue *);
void arc_gpu_close_queue(struct arc_device *, struct arc_queue *);
bool arc_gpu_finish(struct arc_device *, struct arc_queue *);
int arc_gpu_test(struct arc_device *, struct arc_queue *);
bool arc_gpu_follow(struct arc_device *, struct arc_queue *, struct arc_queue *);
void *arc_gpu_point(struct arc_device *, struct arc_queue *);
int arc_gpu_reached(struct arc_device *, void *);
bool arc_gpu_await(struct arc_device *, void *);
void arc_gpu_forget(struct arc_device *, void *);
bool arc_gpu_pin(struct arc_device *, struct arc_queue *, size_t, struct arc_pinned *);
void arc_gpu_unpin(struct arc_device *, struct arc_queue *, struct arc_pinned *);
void *arc_gpu_mark(struct arc_device *, struct arc_queue *);
double arc_gpu_mark_time(struct arc_device *, void *);
void *arc_gpu_load(struct arc_device *, const struct arc_image *);
void arc_gpu_unload(struct arc_device *, void *);
void *arc_gpu_kernel(struct arc_device *, void *, const char *);
bool arc_gpu_launch(struct arc_device *, struct arc_queue *, void *, const int64_t grid[3], const int64_t group[3],
                    size_t, const struct arc_pass *);

/* The fields of `struct arc_backend` that are the same for all of them. */
#define ARC_GPU_BACKEND                                                                                      \
  .close = arc_gpu_close, .free_memory = arc_gpu_free_memory, .native = arc_gpu_native, .allocate = arc_gpu_allocate,                  \
  .release = arc_gpu_release, .allocate_unified = arc_gpu_allocate_unified, .write = arc_gpu_write,          \
  .read = arc_gpu_read, .copy = arc_gpu_copy, .fill = arc_gpu_fill, .open_queue = arc_gpu_open_queue,        \
  .close_queue = arc_gpu_close_queue, .finish = arc_gpu_finish, .test = arc_gpu_test,                        \
  .follow = arc_gpu_follow, .mark = arc_gpu_mark, .mark_time = arc_gpu_mark_time, .load = arc_gpu_load,      \
  .unload = arc_gpu_unload, .kernel = arc_gpu_kernel, .launch = arc_gpu_launch, .point = arc_gpu_point,      \
  .reached = arc_gpu_reached, .await = arc_gpu_await, .forget = arc_gpu_forget, .pin = arc_gpu_pin,          \
  .unpin = arc_gpu_unpin

#endif
