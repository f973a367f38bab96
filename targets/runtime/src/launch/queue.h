/* queue.h: async numbers and their device queues. */
#ifndef ARC_QUEUE_H
#define ARC_QUEUE_H
#include "device/device.h"

/* All with the device's lock held. */
struct arc_queue *arc_queue_of(struct arc_device *, const arc_site *, int async);
/* The queue if it was ever used, else NULL. */
struct arc_queue *arc_queue_if_used(struct arc_device *, const arc_site *, int async);
static inline void arc_queue_count(struct arc_queue *queue) { queue->queued++; }
/* Waits for the work queued so far; the lock is released meanwhile. */
void arc_queue_finish(struct arc_device *, struct arc_queue *, const arc_site *);
/* Submits launches that back ends deferred, because the program gets an address of device memory. */
void arc_queue_start_all(struct arc_device *, const arc_site *);
void arc_queue_finish_all(struct arc_device *, const arc_site *);
/* True if all work is done. */
bool arc_queue_test(struct arc_device *, struct arc_queue *, const arc_site *);
/* wait(queues) async(async) on that device; n == 0: all queues. Takes the lock itself. */
void arc_queue_wait(struct arc_device *, const arc_site *, int async, size_t n, const int *queues);
/* Returns the queue's stream to the program: deferred launches are submitted, and none are deferred from then on. */
void *arc_queue_show(struct arc_device *, struct arc_queue *, const arc_site *);
/* Replaces the queue's stream by the program's own, if that is another one. */
void arc_queue_adopt(struct arc_device *, struct arc_queue *, void *handle, const arc_site *);
/* A copy of host bytes that is kept until the work queued so far is done. */
void *arc_queue_hold(struct arc_queue *, const void *bytes, size_t size);
/* When launches without async are waited for: $ARC_WAIT. */
enum arc_waiting {
  ARC_WAIT_SEEN, /* where the host could tell; kernels in the program's own process each, for messages that name them */
  ARC_WAIT_EACH,
  ARC_WAIT_LATE, /* where the host could tell */
};
enum arc_waiting arc_queue_waiting(void);
/*
 * Called after a directive's last operation: a directive without async waits if the host could otherwise tell. Kernels,
 * and copies of small data that the queue holds itself, need no waiting: later work comes after them, even in other
 * queues, and queries of device addresses wait.
 */
void arc_queue_settle(struct arc_device *, struct arc_queue *, const arc_site *);
/* Whether work that is put into `later` now comes after an operation of the queue of an async number, or of ARC_NOVAL. */
bool arc_queue_is_after(const struct arc_device *, const struct arc_queue *later, const struct arc_queue *earlier,
                        uint64_t operation);
/* Whether the order of a queue's work is known to the runtime alone: it has an async number, and no stream of the program's. */
bool arc_queue_is_async(const struct arc_queue *);
void arc_queues_close(struct arc_device *);

int arc_default_async(void);
void arc_set_default_async(const arc_site *, int async);

#endif
