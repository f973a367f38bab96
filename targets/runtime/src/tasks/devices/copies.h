/*
 * copies.h: which devices have copies of the memory that tasks use, and where the latest bytes are. A device keeps what
 * a task wrote until somebody else needs it, or with ARC_TASK_CACHE=write-through only the copy of it.
 */
#ifndef ARC_COPIES_H
#define ARC_COPIES_H
#include "tasks/devices/lanes.h"
#include "tasks/task.h"

struct arc_copy;

enum { ARC_MOST_COPIES = 64 };

/* What a task does with a copy. */
struct arc_use {
  const struct arc_task_part *part;
  struct arc_copy *copy;
  struct arc_copy *twin; /* another device's, from which its bytes come; NULL: none */
  bool writes;           /* into it: the kernel, or a transfer */
  bool returns;          /* its bytes are on their way to the host */
};

/* A task that gets its data onto a device; of each device one task at a time does. Its work is in a lane, in order. */
struct arc_taking {
  struct arc_lanes *lanes;
  int lane;
  uint64_t number; /* in the lane */
  uint64_t behind[ARC_KERNEL_LANES]; /* tasks of other lanes that its kernel comes after, its transfers need not */
  const struct arc_task *task;
  size_t count;
  struct arc_use uses[ARC_MOST_COPIES];
  struct arc_landings landings; /* what comes back through staging memory */
};

/* How many bytes of the section the device has already. */
size_t arc_copies_on(const struct arc_device *, const struct arc_box *);
/* A copy that has the latest bytes, if the task reads, when the lane comes so far; it stays until all are let go. */
struct arc_buffer *arc_copies_take(struct arc_taking *, const struct arc_task_part *);
/* All are taken: the kernel, which is queued next, may use them. */
void arc_copies_taken(struct arc_taking *);
/*
 * The kernel is queued. What it writes goes to the host behind it with ARC_TASK_CACHE=write-through, or where the program
 * waits for all bytes already and no other task waits for these (`is_last`): else they would move when nothing runs beside.
 */
void arc_copies_send_back(struct arc_taking *, bool is_last);
/* All that is queued for the task is done. What has not been sent back and should be, as above, is brought. */
void arc_copies_let_go(struct arc_taking *, bool is_last);
/* Whether the task could be queued behind what is under way on the device, without waiting for any of that. */
bool arc_copies_follow(const struct arc_device *, const struct arc_task *);
/* The lane that a task under way was queued in as the last one, if that writes what this one uses; -1: there is none.
 * `missing`: bytes that have to be brought. */
int arc_copies_lane(const struct arc_lanes *, const struct arc_task *, size_t *missing);

/* A task of the host is about to use the memory. */
void arc_copies_to_host(const arc_site *, const struct arc_task_part *);
/* A thread waits for tasks, after which the host may use any memory: at the end all bytes are there. */
void arc_copies_wait_begin(void);
void arc_copies_wait_end(const arc_site *);
/* Whether any device has ever had a copy. */
extern atomic_bool arc_copies_ever;
static inline bool arc_copies_used(void) { return atomic_load_explicit(&arc_copies_ever, memory_order_relaxed); }

#endif
