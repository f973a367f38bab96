/* queue.h: async numbers and the device queues behind them. */
#ifndef ARC_QUEUE_H
#define ARC_QUEUE_H
#include "device/device.h"

/* All with the device's lock held. */
struct arc_queue *arc_queue_of(struct arc_device *, const arc_site *, int async);
/* The queue if it was ever used, else NULL: nothing is in it. */
struct arc_queue *arc_queue_if_used(struct arc_device *, const arc_site *, int async);
static inline void arc_queue_count(struct arc_queue *queue) { queue->queued++; }
/* Returns when what is queued now is done; the lock is released meanwhile. */
void arc_queue_finish(struct arc_device *, struct arc_queue *, const arc_site *);
/* What back ends put off is under way: the program gets an address of device memory. */
void arc_queue_start_all(struct arc_device *, const arc_site *);
void arc_queue_finish_all(struct arc_device *, const arc_site *);
/* True when nothing is left to do. */
bool arc_queue_test(struct arc_device *, struct arc_queue *, const arc_site *);
/* wait(queues) async(async) on that device; n == 0: all queues. Takes the lock itself. */
void arc_queue_wait(struct arc_device *, const arc_site *, int async, size_t n, const int *queues);
/* The queue's stream, for the program: what back ends put off is under way, and nothing is put off there any more. */
void *arc_queue_show(struct arc_device *, struct arc_queue *, const arc_site *);
/* The program's own stream takes the place of the queue's. */
void arc_queue_adopt(struct arc_device *, struct arc_queue *, void *handle, const arc_site *);
/* A copy of host bytes that lives until the work queued so far is done. */
void *arc_queue_hold(struct arc_queue *, const void *bytes, size_t size);
/* When launches without async are waited for: $ARC_WAIT. */
enum arc_waiting {
  ARC_WAIT_SEEN, /* where the host could tell; kernels in the program's own process each, for messages that name them */
  ARC_WAIT_EACH,
  ARC_WAIT_LATE, /* where the host could tell */
};
enum arc_waiting arc_queue_waiting(void);
/*
 * After a directive's last operation: a directive without async waits, if the host could tell that it did
 * not. Kernels, and copies of small data that the queue holds itself, are left under way: later work comes after
 * them, also in other queues, and whoever asks for a device address waits.
 */
void arc_queue_settle(struct arc_device *, struct arc_queue *, const arc_site *);
void arc_queues_close(struct arc_device *);

int arc_default_async(void);
void arc_set_default_async(const arc_site *, int async);

#endif
