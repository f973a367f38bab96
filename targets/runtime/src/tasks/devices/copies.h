/*
 * copies.h: which devices have copies of the memory that tasks use, and where the latest bytes are. Bytes that a task
 * wrote stay on the device until they are needed elsewhere; with ARC_TASK_CACHE=write-through they go to the host at once.
 */
#ifndef ARC_COPIES_H
#define ARC_COPIES_H
#include "tasks/devices/lanes.h"
#include "tasks/task.h"

struct arc_copy;

enum { ARC_MOST_COPIES = 64 };

/* A task's use of a copy. */
struct arc_use {
  const struct arc_task_part *part;
  struct arc_copy *copy;
  struct arc_copy *twin; /* the other device's copy that its bytes come from, or NULL */
  bool writes;           /* the kernel or a transfer writes the copy */
  bool returns;          /* its bytes are being transferred to the host */
};

/* A task acquiring its data on a device, one task at a time per device. Its work is queued in one lane, in order. */
struct arc_taking {
  struct arc_lanes *lanes;
  int lane;
  uint64_t number; /* of the task in its lane */
  uint64_t behind[ARC_KERNEL_LANES]; /* last task per lane that its kernel waits for; its transfers do not */
  const struct arc_task *task;
  size_t count;
  struct arc_use uses[ARC_MOST_COPIES];
  struct arc_landings landings; /* transfers to the host that go through staging memory */
};

/* How many bytes of the section are already on the device. */
size_t arc_copies_on(const struct arc_device *, const struct arc_box *);
/* Acquires a copy that is current for reading once the lane gets there; it stays until arc_copies_let_go. */
struct arc_buffer *arc_copies_take(struct arc_taking *, const struct arc_task_part *);
/* All copies are acquired: the kernel, which is queued next, may use them. */
void arc_copies_taken(struct arc_taking *);
/*
 * The kernel is queued. Queues transfers of its results to the host behind it with ARC_TASK_CACHE=write-through, or if a
 * thread already waits for all bytes and no task depends on these (`is_last`), so that they overlap later kernels.
 */
void arc_copies_send_back(struct arc_taking *, bool is_last);
/* All queued work of the task is done. Transfers results as above that were not queued, and releases the copies. */
void arc_copies_let_go(struct arc_taking *, bool is_last);
/* Whether the task could be queued behind unfinished work on the device without waiting for any of it. */
bool arc_copies_follow(const struct arc_device *, const struct arc_task *);
/* The lane of the unfinished task queued last, if it writes what this one uses; -1: none.
 * `missing`: bytes that must be transferred first. */
int arc_copies_lane(const struct arc_lanes *, const struct arc_task *, size_t *missing);

/* Called before a host task uses the memory. */
void arc_copies_to_host(const arc_site *, const struct arc_task_part *);
/* Around a thread's wait for tasks, after which the host may use any memory: at the end all bytes are on the host. */
void arc_copies_wait_begin(void);
void arc_copies_wait_end(const arc_site *);
/* Whether any device has ever had a copy. */
extern atomic_bool arc_copies_ever;
static inline bool arc_copies_used(void) { return atomic_load_explicit(&arc_copies_ever, memory_order_relaxed); }

#endif
