/*
 * arcrt.h: what translated host code calls. Not for users; openacc.h and omp.h are.
 *
 * Device addresses are 64-bit numbers in every back end. A buffer's device address minus the host
 * address it was mapped from is constant over the buffer, so interior pointers translate by one
 * subtraction.
 *
 * It includes nothing: translated files see no names that their authors did not ask for.
 */
#ifndef ARCRT_H
#define ARCRT_H
#ifdef __cplusplus
extern "C" {
#endif

/* The directive a call was made for; every error message names it. The strings (and arc_item.name) must
 * outlive the program's last call: literals. */
typedef struct arc_site {
  const char *file;
  int line;
  const char *what; /* "parallel loop", "enter data", ... */
} arc_site;

/* Async queue of a directive: a user's queue number, or one of these (values of openacc.h). */
#define ARC_SYNC (-2)  /* no async clause */
#define ARC_NOVAL (-1) /* async without argument: the default queue */
/* No async clause, and a call with ARC_SYNC for the same directive follows, which waits. */
#define ARC_JOINED (-1001)

enum arc_map {
  ARC_COPY = 1,
  ARC_COPYIN,
  ARC_COPYOUT,
  ARC_CREATE,
  ARC_PRESENT,
  ARC_NO_CREATE,
  ARC_DELETE,
  ARC_ATTACH,
  ARC_DETACH,
  ARC_DEVICEPTR,
  ARC_UPDATE_SELF,
  ARC_UPDATE_DEVICE,
  ARC_DEVICE_RESIDENT,
  ARC_LINK
};
#define ARC_ZERO 1u /* zero modifier */
#define ARC_FINALIZE 2u
#define ARC_IF_PRESENT 4u
#define ARC_ALWAYS_IN 8u
#define ARC_ALWAYS_OUT 16u
#define ARC_READONLY 32u
#define ARC_CAPTURE 128u /* capture modifier: a copy even where the device shares the host's memory */
#define ARC_PIPE 256u /* pipe clause: kernels may pass it on in a channel, and then it needs no memory */
#define ARC_IMPLICIT 64u /* no clause names it: an implicit data attribute */
#define ARC_ONE_COUNT 1024u /* OpenMP: data regions, enter data and exit data move one reference count */
#define ARC_IN_PART 2048u /* OpenMP: of a variable that no clause names, the part that is present stands for all */
#define ARC_BASED 4096u /* `pointer` is no pointer to attach, but the address that the section's indices count from */
#define ARC_PLACE 512u   /* a pointer without a section: `host` is in the memory that is meant, how much is not said;
                            `size` is what is mapped where nothing of it is present */

/*
 * A section that is not one piece of memory. The first `rows` dimensions are tables of pointers, each of which leads to
 * what the dimensions behind it say; of these, the last `ndims - rows`, come pieces of `bytes` each.
 */
typedef struct arc_dim {
  __SIZE_TYPE__ start;  /* bytes from where the pointer in front of it leads; of the first dimension: 0 */
  __SIZE_TYPE__ count;  /* elements */
  __SIZE_TYPE__ stride; /* bytes from one to the next */
} arc_dim;
typedef struct arc_pieces {
  __SIZE_TYPE__ rows, ndims;
  const arc_dim *dims; /* outermost first */
  __SIZE_TYPE__ bytes;
} arc_pieces;

typedef struct arc_item {
  const char *name;    /* as the user wrote it: "a[0:n]" */
  void *host;          /* first byte of the section */
  __SIZE_TYPE__ size;  /* bytes; 0 is legal and maps nothing */
  void **pointer;      /* the host pointer that the section was reached through when that pointer itself
                          may live on the device (struct member, array element): attach; else NULL */
  __UINT16_TYPE__ map; /* enum arc_map */
  __UINT16_TYPE__ flags;
  const arc_pieces *pieces; /* NULL: one piece; else `host` is its first byte, and `size` nothing */
  const void *structure; /* OpenMP: the structure that this is a member of; an arc_ends of members that a region uses,
                            with ARC_IN_PART; else NULL */
} arc_item;

/* The sizes of the first and the last of some members, of each of which something must be present. */
typedef struct arc_ends {
  __SIZE_TYPE__ first, last;
} arc_ends;

/* Items whose number is known only when the program runs; `end` is for __attribute__((cleanup)). */
typedef struct arc_list {
  arc_item *items;
  __SIZE_TYPE__ n, room;
} arc_list;
void arc_list_add(arc_list *, arc_item);
void arc_list_end(arc_list *);

/* Structured data regions and the data clauses of compute constructs: enter in order, exit in reverse. */
void arc_data_begin(const arc_site *, int async, __SIZE_TYPE__ n, const arc_item *);
void arc_data_end(const arc_site *, int async, __SIZE_TYPE__ n, const arc_item *);
/* enter data, exit data, update: dynamic reference counts. */
void arc_enter_data(const arc_site *, int async, __SIZE_TYPE__ n, const arc_item *);
void arc_exit_data(const arc_site *, int async, __SIZE_TYPE__ n, const arc_item *);
void arc_update(const arc_site *, int async, __SIZE_TYPE__ n, const arc_item *);
/* declare at file scope: called from constructors, before devices exist. */
void arc_declare(const arc_site *, __SIZE_TYPE__ n, const arc_item *);

/* A variable of file scope that routines use in regions of other files: called from constructors. `key` tells
 * it apart in the whole program. */
void arc_register_global(const char *key, const char *name, void *host, __SIZE_TYPE__ size);

/* wait(queues) async(async); n == 0 waits for all queues. */
void arc_wait(const arc_site *, int async, __SIZE_TYPE__ n, const int *queues);
/* init, shutdown, set: device_type is a value of openacc.h's acc_device_t; a negative type or number means
 * "clause absent", so does ARC_KEEP for default_async. */
#define ARC_KEEP (-1000)
void arc_init(const arc_site *, int device_type, int device_num);
void arc_shutdown(const arc_site *, int device_type, int device_num);
void arc_set(const arc_site *, int device_type, int device_num, int default_async);
/* host_data use_device(p): p's device address, or p itself if absent and if_present was given. */
void *arc_use_device(const arc_site *, const void *host, const char *name, int if_present);

/* declare inside a function: ends with the block, by __attribute__((cleanup)). */
typedef struct arc_declared {
  const arc_site *site;
  __SIZE_TYPE__ n;
  const arc_item *items;
} arc_declared;
static __inline__ void arc_declared_end(const arc_declared *scope) {
  arc_data_end(scope->site, ARC_SYNC, scope->n, scope->items);
}

/* ---- launching ---- */

/* One argument of a region, in the order of the region's canonical argument list. */
typedef struct arc_arg {
  const char *name;
  void *host;          /* buffer: host pointer as the kernel's parameter holds it, to be translated;
                          value: address of the bytes; copy: likewise, or as for a buffer */
  const void *at;      /* buffer, device address: an address inside the section, to find it by (a[10:n] does
                          not contain a); copy: address of the bytes; NULL: `host` itself. A NULL `host` is
                          passed on as NULL. */
  __SIZE_TYPE__ size;  /* value, copy: bytes; buffer: 0 */
  __UINT8_TYPE__ kind; /* ARC_ARG_* */
} arc_arg;
enum {
  ARC_ARG_BUFFER = 1, /* must be present */
  ARC_ARG_VALUE = 2,
  ARC_ARG_DEVICEPTR = 3, /* host holds a device address already */
  ARC_ARG_MAYBE = 4,     /* no_create: host pointer itself if absent (must not be dereferenced) */
  ARC_ARG_COPY = 5       /* memory of the launch's own with the bytes there, whatever is present */
};

typedef struct arc_launch_config {
  int async;
  __INT64_TYPE__ num_gangs, num_workers, vector_length; /* 0: no clause */
  __SIZE_TYPE__ ntrips;
  const __INT64_TYPE__ *trips; /* trip counts of the region's partitioned loops, in the manifest's order */
} arc_launch_config;

/* Runs the region called `region` from the selected image set. Aborts with a message that names the
 * site, the image sets that exist, and how to choose one, when there is no such image. */
void arc_launch(const arc_site *, const char *region, const arc_launch_config *, __SIZE_TYPE__ n,
                const arc_arg *);
/* The same between arc_data_begin and arc_data_end for items that must all be present, `ARC_PRESENT`. */
void arc_launch_present(const arc_site *, const char *region, const arc_launch_config *, __SIZE_TYPE__ n,
                        const arc_arg *, __SIZE_TYPE__ nitems, const arc_item *items);

/* ---- programs that are built for ARC_CHECK ---- */

/*
 * Results of kernels against the host's. begin gives NULL where nothing is checked; else the data that is on the device
 * has replaced the host's, until the program has run the construct's statement itself and calls take. compare is
 * called behind the launch. shapes: per argument what its elements are (launch/shape.h), or NULL. tolerance: of
 * numbers, relative; 0: the runtime's own.
 */
void *arc_reference_begin(const arc_site *, const char *region, __SIZE_TYPE__ n, const arc_arg *,
                          const char *const *shapes, double tolerance);
void arc_reference_take(void *);
void arc_reference_compare(void *);

/* Around a read of the host program: gives its first argument back, and looks whether a kernel has newer bytes. */
void *arc_host_read(void *, __SIZE_TYPE__ bytes, const char *file, int line, const char *text);

/*
 * OpenMP's device clause: 1 for the number of a device of the kind in use, 0 for the host's. Ends the program with a
 * message for any other.
 */
int arc_on_device(int number);

/*
 * OpenMP's target_device: whether the default device, or the one of that number, is of a kind. Programs without regions
 * have no library, and no device but the host.
 */
enum {
  ARC_TARGET_HOST = 1, /* the host, which is no device with images */
  ARC_TARGET_CPU = 2,
  ARC_TARGET_GPU = 4,
  ARC_TARGET_FPGA = 8,
  ARC_TARGET_NVIDIA = 16, /* through CUDA */
  ARC_TARGET_RADEON = 32, /* through HIP */
  ARC_TARGET_OPENCL = 64
};
int arc_default_target(void) __attribute__((weak));
int arc_target(int number) __attribute__((weak));
static __inline__ int arc_default_target_is(int kind) {
  return ((arc_default_target ? arc_default_target() : ARC_TARGET_HOST | ARC_TARGET_CPU) & kind) != 0;
}
static __inline__ int arc_target_is(int number, int kind) {
  return ((arc_target ? arc_target(number) : ARC_TARGET_HOST | ARC_TARGET_CPU) & kind) != 0;
}
/* Calls of this thread until `leave` are for the device of that number. They do not nest. */
void arc_device_enter(int number);
void arc_device_leave(void);

/* OpenMP's `requires unified_shared_memory`, from constructors: devices with memory of their own end the program with a
 * message, and what regions use need not be mapped. */
void arc_require_shared(const arc_site *);

/* The locks of OpenMP's `critical` in regions, one for each name: 0 where nobody has it, on the device and here. */
extern int arc_critical_0, arc_critical_1, arc_critical_2, arc_critical_3, arc_critical_4, arc_critical_5,
    arc_critical_6, arc_critical_7;

/* What tasks with OpenMP's `depend(out: omp_all_memory)` change, and other tasks of their files read. */
extern char arc_all_memory_place;
static __inline__ char *arc_all_memory(void) {
  return &arc_all_memory_place;
}

/* Images inside the executable (arc cc embeds them): called from constructors. */
void arc_register_image(const char *target, const char *variant, const void *bytes, __SIZE_TYPE__ size);

#ifdef __cplusplus
}
#endif
#endif
