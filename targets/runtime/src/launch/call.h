/* call.h: one launch of a region, from its arguments to what the kernels are passed. Not the program's interface. */
#ifndef ARC_CALL_H
#define ARC_CALL_H
#include "launch/region.h"
#include <stdbool.h>

struct arc_call {
  struct arc_device *device;
  struct arc_queue *queue;
  const arc_site *site;
  struct arc_region *region;
  size_t narguments;
  const arc_arg *arguments;
  struct arc_scope scope;
  struct arc_scratch *scratch; /* NULL when the region needs none */
  struct arc_buffer **copies;  /* by argument: of ARC_ARG_COPY; NULL where there are none */
  bool seen;                   /* the program can see what a kernel does without asking the runtime */
};

/* ---- temporary.c: memory of the launch's own ---- */

/* Scratch memory, sized for this launch, and copies of what the region has copies of. */
void arc_call_take_memory(struct arc_call *);
void arc_call_drop_memory(struct arc_call *);

/* ---- pass.c ---- */

/* What a kernel is passed for a parameter. `value` is storage for it, which must live as long as the result. */
struct arc_pass arc_call_pass(const struct arc_call *, const struct arc_parameter *, int64_t *value);

/* ---- launch.c ---- */

/* False: there is nothing to launch. */
bool arc_call_geometry(const struct arc_call *, const struct arc_kernel_record *, int64_t grid[3], int64_t group[3]);
/* Whether the program can see what kernels do without asking the runtime. */
bool arc_call_is_seen(const struct arc_call *);
/* After a kernel was started: whether anybody waits for it, and what messages about it say. */
void arc_call_note(const struct arc_call *, const char *kernel);

/* Kernels from `from` to `to`, and the loops around them from index `loop` on, which are inside of `depth` others. */
struct arc_walk {
  size_t from, to, loop, depth;
};
struct arc_visitor {
  void (*kernel)(struct arc_call *, size_t kernel, void *of);
  /* True: all of the loop is done; false: visit what is inside. NULL: always false. */
  bool (*loop)(struct arc_call *, size_t loop, size_t depth);
  void *of;
};
/* Visits the kernels in order, as often as the loops around them say. */
void arc_call_walk(struct arc_call *, struct arc_walk, const struct arc_visitor *);

/* ---- team.c ---- */

/* Has a team of threads run a loop, where the device has such; false: it does not. */
bool arc_call_run_team(struct arc_call *, size_t loop, size_t depth);

/* ---- deferred.c: launches that do not start at once ---- */

/* The region's only kernel with its arguments as they are now. */
struct arc_kept *arc_call_keep(const struct arc_call *);
/* Leaves the launch to the last of the regions that start together. */
void arc_call_defer(const struct arc_call *);
/* Runs all deferred regions of the group and the one launched now. */
void arc_call_run_together(struct arc_call *);

#endif
