/*
 * copies.h: which devices have copies of the memory that tasks use, and where the latest bytes are. A device keeps what
 * a task wrote until somebody else needs it, or with ARC_TASK_CACHE=write-through only the copy of it.
 */
#ifndef ARC_COPIES_H
#define ARC_COPIES_H
#include "device/device.h"
#include "tasks/task.h"

struct arc_copy;

enum { ARC_MOST_COPIES = 64 };

/* A task that gets its data onto a device; of each device one task at a time does. */
struct arc_taking {
  struct arc_device *device;
  int lane; /* moves.h */
  const struct arc_task *task;
  size_t count;
  const struct arc_task_part *parts[ARC_MOST_COPIES];
  struct arc_copy *copies[ARC_MOST_COPIES];
};

/* How many bytes of the section the device has already. */
size_t arc_copies_on(const struct arc_device *, const struct arc_box *);
/* A copy with the latest bytes if the task reads; it stays until all are let go. */
struct arc_buffer *arc_copies_take(struct arc_taking *, const struct arc_task_part *);
/*
 * The kernel has ended. What it wrote goes to the host at once with ARC_TASK_CACHE=write-through, or where the program waits
 * for all bytes already and no other task waits for these (`is_last`): else they would move when nothing runs beside.
 */
void arc_copies_let_go(struct arc_taking *, bool is_last);

/* A task of the host is about to use the memory. */
void arc_copies_to_host(const arc_site *, const struct arc_task_part *);
/* A thread waits for tasks, after which the host may use any memory: at the end all bytes are there. */
void arc_copies_wait_begin(void);
void arc_copies_wait_end(const arc_site *);
/* Whether any device has ever had a copy. */
extern atomic_bool arc_copies_ever;
static inline bool arc_copies_used(void) { return atomic_load_explicit(&arc_copies_ever, memory_order_relaxed); }

#endif
