/*
 * device.h: an opened device with its queues and memory, and the interface of back ends. Nothing here depends on
 * OpenACC: maps, reference counts and clauses are in present.h and data.c.
 */
#ifndef ARC_DEVICE_H
#define ARC_DEVICE_H
#include "arcrt.h"
#include "report/error.h"
#include "image/image.h"
#include "data/range.h"
#include "report/text.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arc_device;
struct arc_image_set;
struct arc_present;
struct arc_loaded;

/* One allocation of device memory. */
struct arc_buffer {
  struct arc_range range;  /* device addresses; start is 0 while the address is not known */
  uint64_t bytes;          /* allocated */
  void *handle;            /* the back end's own */
  bool addressed;          /* range is in the device's map of addresses */
  uint32_t sharers;        /* how many others have a part of it, and release it, too */
  struct arc_buffer *next; /* in a pool or a queue's list */
};

/*
 * Device memory `offset` bytes from the start of a buffer. Kernel arguments may be outside of it: a kernel's pointer
 * corresponds to the host's, which need not be inside the mapped section.
 */
struct arc_place {
  struct arc_buffer *buffer;
  int64_t offset;
};

/* Host memory that must stay allocated until the work queued so far is done. */
struct arc_held {
  struct arc_held *next;
  max_align_t bytes[];
};

/*
 * Host memory that queued reads still have to fill: at most a few ranges, the last one covering all that did not fit.
 */
enum { arc_filling_ranges = 16 };
struct arc_filling {
  struct {
    uintptr_t start, end;
  } ranges[arc_filling_ranges];
  size_t count;
};

/* Queues of async numbers, and that of ARC_NOVAL. */
enum { arc_queue_numbers = 64, arc_async_queues = arc_queue_numbers + 1 };

/* A stream of the device: work runs in the order it was queued. */
struct arc_queue {
  int async;                   /* the user's number, ARC_SYNC or ARC_NOVAL */
  void *handle;                /* the back end's own */
  struct arc_gpu_batch *batch; /* gpu_batch.h's */
  atomic_bool seen;            /* the program could tell whether the launch that is made has begun */
  uint64_t queued, finished;   /* operations so far */
  bool awaited;                /* a directive without async must wait for some of them */
  uint64_t behind;             /* operations of the synchronous queue that later work here comes after */
  uint64_t after[arc_async_queues]; /* and of the others */
  struct arc_buffer *released; /* to reuse when the work queued so far is done */
  struct arc_held *held;
  size_t held_bytes;
  struct arc_filling filling;
  struct arc_span *spans;    /* spans.h's: watched work */
  struct arc_flight *flight; /* crash.h's; NULL where kernels cannot crash the program */
  arc_site launched;         /* the last launch, for messages about failures that show up later */
  const char *kernel;
  bool pointed; /* somebody asks for points in it */
  void *last;   /* the back end's own: of what was queued last, for a point behind it */
  bool foreign; /* `handle` is the program's own, which it keeps */
  bool shown;   /* the program has `handle`, and may put work of its own behind what is queued */
};

/* The driver's objects, which routines of openacc.h for CUDA and OpenCL return. */
enum arc_native { ARC_NATIVE_DEVICE, ARC_NATIVE_CONTEXT, ARC_NATIVE_QUEUE };

/* The value of a kernel parameter. */
struct arc_pass {
  bool is_place;
  struct arc_place place;
  int64_t before;   /* the memory that it leads into begins so many bytes before the place, */
  uint64_t extent;  /* and has so many; 0: unknown */
  const void *bytes;
  size_t size;
};

/* Memory of the host's that a device moves bytes from and to by itself, while the program goes on. */
struct arc_pinned {
  void *bytes;
  void *handle; /* the back end's own */
};

/* A kernel with its geometry and arguments. */
struct arc_start {
  void *kernel; /* the back end's own */
  int64_t grid[3], group[3];
  size_t n;
  const struct arc_pass *passes;
};

/*
 * A call that fails returns false (or NULL, or a negative number), with the reason through arc_because(). All except
 * `launch` and `finish` are called with the device's lock held; `finish` may take long.
 */
/* A thread of a team. */
struct arc_team_thread {
  int number;
  bool behind; /* the first thread may be busy with a kernel that has one group */
};

/* What each thread of a team calls, and what is called at the end, once. */
struct arc_team_work {
  void (*run)(void *of, int thread);
  void (*end)(void *of);
  void *of;
};

struct arc_backend {
  const char *name;
  /*
   * Words of $ARC_DEVICE and $ACC_DEVICE_TYPE that select it besides its name; ends in NULL. The first is the type that
   * acc_get_device_type returns.
   */
  const char *const *types;
  /* Supported kinds of payload, the best first; ends in NULL. */
  const char *const *payloads;
  /* Loading an image takes about as long as a launch: the first is loaded with the device, so that no launch waits. */
  bool loads_at_once;
  /* Number of devices; 0 with a reason if the driver is missing. */
  int (*devices)(void);
  /* Opens device->ordinal: fills name, limits, state. */
  bool (*open)(struct arc_device *);
  void (*close)(struct arc_device *);
  /* NULL: unknown. */
  uint64_t (*free_memory)(struct arc_device *);

  /* buffer->bytes -> handle, and range.start unless `address` exists. */
  bool (*allocate)(struct arc_device *, struct arc_buffer *);
  void (*release)(struct arc_device *, struct arc_buffer *);
  /* Memory with the same address on host and device. NULL: not supported. */
  bool (*allocate_unified)(struct arc_device *, struct arc_buffer *);
  /* Finds range.start. NULL where `allocate` does. */
  bool (*address)(struct arc_device *, struct arc_buffer *);
  /* Host memory must stay as it is until the queue is finished. */
  bool (*write)(struct arc_device *, struct arc_queue *, struct arc_place, const void *host, size_t bytes);
  bool (*read)(struct arc_device *, struct arc_queue *, void *host, struct arc_place, size_t bytes);
  bool (*copy)(struct arc_device *, struct arc_queue *, struct arc_place to, struct arc_place from,
               size_t bytes);
  /*
   * Copies from another device of the back end, whose memory must not change until the queue is finished. NULL: only
   * possible through the host.
   */
  bool (*copy_across)(struct arc_device *, struct arc_queue *, struct arc_place to, struct arc_device *,
                      struct arc_place from, size_t bytes);
  bool (*fill)(struct arc_device *, struct arc_queue *, struct arc_place, unsigned char byte, size_t bytes);

  /* The driver's device or context; that of a queue is its handle. NULL: there is none. */
  void *(*native)(const struct arc_device *, enum arc_native);
  bool (*open_queue)(struct arc_device *, struct arc_queue *);
  void (*close_queue)(struct arc_device *, struct arc_queue *);
  bool (*finish)(struct arc_device *, struct arc_queue *);
  /* 1: nothing left to do; 0: work left; -1: failed. */
  int (*test)(struct arc_device *, struct arc_queue *);
  /* Work queued in `later` from now on starts after the present work in `earlier`. */
  bool (*follow)(struct arc_device *, struct arc_queue *later, struct arc_queue *earlier);
  /*
   * A mark in the queue, NULL on failure. Once the queue is finished, mark_time returns when it was reached, in
   * arc_trace_now()'s microseconds, and frees the mark; for NULL it returns the present time.
   */
  void *(*mark)(struct arc_device *, struct arc_queue *);
  double (*mark_time)(struct arc_device *, void *mark);

  /* A point behind what is in the queue now, which is on its way then; NULL on failure. It is for `reached`: 1: all in
   * front of it is done; 0: work left; -1: some of it failed; for `await`, which returns when it is reached, false if some
   * of it failed; and for `forget`, which frees it. These three are called without the lock. NULL: there are none. */
  void *(*point)(struct arc_device *, struct arc_queue *);
  int (*reached)(struct arc_device *, void *point);
  bool (*await)(struct arc_device *, void *point);
  void (*forget)(struct arc_device *, void *point);
  /* Memory of so many bytes; NULL: transfers from and to all memory go on beside the program. The queue is one of those
   * that it will be used with. */
  bool (*pin)(struct arc_device *, struct arc_queue *, size_t bytes, struct arc_pinned *);
  void (*unpin)(struct arc_device *, struct arc_queue *, struct arc_pinned *);

  void *(*load)(struct arc_device *, const struct arc_image *);
  void (*unload)(struct arc_device *, void *module);
  void *(*kernel)(struct arc_device *, void *module, const char *name);
  /* Thread-safe. Its arguments are read before it returns. */
  bool (*launch)(struct arc_device *, struct arc_queue *, void *kernel, const int64_t grid[3],
                 const int64_t group[3], size_t n, const struct arc_pass *);
  /*
   * Starts all of them after the work in the queue; later work comes after all of them. They run concurrently and may
   * wait for each other. NULL: not supported. Called like `launch`.
   */
  bool (*together)(struct arc_device *, struct arc_queue *, size_t count, const struct arc_start *);
  /*
   * Work for a team of threads after the work in the queue, all of whose kernels are of one image, such as this one. False:
   * the image has no teams. NULL: the device has none. Called like `launch`.
   */
  bool (*team)(struct arc_device *, struct arc_queue *, void *kernel, const struct arc_team_work *);
  /* A kernel, called by all threads of a team in the same order. One of a single group is the first thread's, and the others
   * go on; they wait for it in front of the next one of several. */
  void (*share)(struct arc_team_thread *, void *kernel, const int64_t grid[3], const int64_t group[3], size_t n,
                const struct arc_pass *);
};

/* All back ends, in order of preference if there are kernels for several. */
#define ARC_BACKEND_LIST(B) B(cuda) B(hip) B(opencl) B(host)
#define ARC_BACKEND_DECLARED(name) extern const struct arc_backend arc_backend_##name;
#define ARC_BACKEND_COUNTED(name) +1
ARC_BACKEND_LIST(ARC_BACKEND_DECLARED)
enum { ARC_BACKENDS = ARC_BACKEND_LIST(ARC_BACKEND_COUNTED) };
extern const struct arc_backend *const arc_backends[ARC_BACKENDS];

/* NULL: this runtime has no back end of that name. */
const struct arc_backend *arc_backend_named(const char *name);
/* Whether the word is the back end's name, one of its types, `default`, or `not_host` for any but the host. */
bool arc_backend_serves(const char *name, const char *word);
/* "cuda, opencl and host"; `last` stands before the last one. */
void arc_backend_names(struct arc_text *, const char *last);

enum { arc_pool_bins = 64 };

/* Queues of the runtime besides those that the program numbers: tasks use them. */
enum { arc_lanes = 4 };
#define ARC_LANE(i) (-10 - (i))

/* Floating-point additions and multiplications, 32-bit and 64-bit. */
struct arc_operations {
  double single, wide;
};

struct arc_device {
  struct arc_device *next; /* of all devices that were ever opened */
  const struct arc_backend *backend;
  int ordinal;
  atomic_bool open;
  char *name;            /* for messages: "opencl:0 (pthread-skylake)" */
  char *vendor, *driver; /* the maker's own words; NULL: unknown */
  const char *type;      /* "cpu", "gpu", "accelerator" or "custom" */
  char *bus; /* of an NVIDIA GPU, its place on PCI, by which NVML knows it: "0000:1b:00.0"; NULL: another device, or unknown */
  struct arc_meter *meter; /* energy.h's; NULL: nobody asked, or nothing counts */
  void *state;           /* the back end's own */
  pthread_mutex_t lock;
  const struct arc_image_set *images; /* NULL: no set of images fits the device */

  bool shared;     /* its memory is the program's */
  bool in_process; /* kernels run in the program's own address space: their signals are its own */
  bool pooled;     /* freed memory is kept for reuse */
  bool poisoned;   /* fresh memory is filled with 0xa5, so that unset values show */
  bool eager;      /* writes may take the host's bytes when they are queued, before earlier reads fill them */
  size_t alignment; /* of both ends of a transfer; 1: none needed */
  int64_t compute_units;
  int64_t max_group; /* work-items of a group */
  uint64_t memory_bytes;
  double memory_rate; /* bytes a second that its memory can move at best; 0: unknown */
  struct arc_operations compute_rate; /* a second at best; 0: unknown */

  struct arc_range_map addresses; /* buffers whose device address may be in the program's hands */
  struct arc_buffer whole;        /* stands for all addresses where these are all there is to a buffer */
  struct arc_buffer *nothing;     /* a few bytes to point at when there is nothing to point at */
  struct arc_buffer *pool[arc_pool_bins];
  uint64_t pool_bytes, pool_limit;

  struct arc_queue *sync;
  struct arc_queue *queues[arc_async_queues]; /* the last one is ARC_NOVAL's */
  uint64_t awaited[arc_async_queues];         /* operations of theirs that queues came after which were waited for */
  struct arc_queue *lanes[arc_lanes];

  struct arc_present *present;
  struct arc_loaded *loaded; /* region.c's */
  struct arc_kept *waiting; /* launch.c's: kernels whose partners are not launched yet; last in first */
  struct arc_steps *steps;     /* steps.c's */
};

/* The device of the calling thread, opened on first use. Never NULL. */
struct arc_device *arc_device_current(const arc_site *);
/* Called at the end of the program to stop users of devices; once or several times. */
void arc_device_before_closing(void (*)(void));
/* A specific device, independent of images. Never NULL. */
struct arc_device *arc_device_of(const arc_site *, const struct arc_backend *, int ordinal);
static inline void arc_device_lock(struct arc_device *device) { pthread_mutex_lock(&device->lock); }
static inline void arc_device_unlock(struct arc_device *device) { pthread_mutex_unlock(&device->lock); }
/* The lock is released while fail() runs exit handlers. */
#define arc_device_fail(device, ...) (arc_fails(device), arc_device_unlock(device), arc_fail(__VA_ARGS__))

/* The calling thread's selection, and the resulting device (NULL: not resolved yet). */
struct arc_selection {
  struct arc_device *device;
  int type, ordinal; /* -1: nothing was asked for */
  bool none;         /* OpenMP's default device is the host */
};
struct arc_selection arc_device_selection(void);
/* `type` is a value of acc_device_t; a negative type or ordinal leaves it unchanged. */
void arc_device_select(int type, int ordinal);
void arc_device_restore(struct arc_selection);
/* OpenMP's default device is the host: directives compiled without support for that end the program with a message. */
void arc_device_none(void);
/* The device number for threads that select none. */
void arc_device_default(int number);
/* A value of acc_device_t. */
int arc_device_type(const struct arc_device *);
/* Devices of a type that could be opened here. */
int arc_device_count(const arc_site *, int type);
/* Frees the memory and queues of open devices; the next use opens them again. ordinal < 0: all devices. */
void arc_device_shutdown(const arc_site *, int type, int ordinal);

#endif
