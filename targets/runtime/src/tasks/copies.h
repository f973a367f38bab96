/*
 * copies.h: which devices have copies of the memory that tasks use, and where the latest bytes are. A device keeps what
 * a task wrote until somebody else needs it.
 */
#ifndef ARC_COPIES_H
#define ARC_COPIES_H
#include "device/device.h"
#include "tasks/task.h"

struct arc_copy;

/* How many bytes of the section the device has already. */
size_t arc_copies_on(const struct arc_device *, const struct arc_box *);
/* A copy for a task, with the latest bytes if it reads; it stays until it is let go. */
struct arc_copy *arc_copies_take(struct arc_device *, const struct arc_task *, const struct arc_task_part *);
struct arc_buffer *arc_copy_buffer(const struct arc_copy *);
void arc_copies_let_go(struct arc_copy *);

/* Who watches is told of what the queue has finished. */
void arc_copies_tell(struct arc_device *, struct arc_queue *);

/* The host is about to use the memory. */
void arc_copies_to_host(const arc_site *, const struct arc_task_part *);
/* The host may use any memory. */
void arc_copies_all_to_host(const arc_site *);
/* Whether any device has ever had a copy. */
bool arc_copies_used(void);

#endif
