/*
 * gpu_batch.h: consecutive launches in a queue, passed to the driver many at a time, as a graph. A driver takes longer
 * for a single launch than a device for a small kernel.
 */
#ifndef ARC_GPU_BATCH_H
#define ARC_GPU_BATCH_H
#include "backend/gpu/gpu_driver.h"

struct arc_gpu_batches; /* of a device */
struct arc_gpu_batch;   /* of a queue */

/* A launch; `sizes` are those of its arguments. */
struct arc_gpu_call {
  gpu_function code;
  unsigned grid[3], group[3], shared;
  size_t n;
  void *const *arguments;
  const size_t *sizes;
};

/* NULL: the driver has no graphs, or ARC_GRAPHS=0. */
struct arc_gpu_batches *arc_gpu_batches_open(const struct arc_gpu_driver *, gpu_context);
/* After all of its queues. */
void arc_gpu_batches_close(struct arc_gpu_batches *);
/* Submits all deferred launches and forgets the kernels, which may then be unloaded. */
void arc_gpu_batches_forget(struct arc_gpu_batches *);

/* NULL without batches; the other functions treat that as a queue that never defers launches. */
struct arc_gpu_batch *arc_gpu_batch_open(struct arc_gpu_batches *, gpu_stream);
void arc_gpu_batch_close(struct arc_gpu_batch *);
/* Defers the launch for a fraction of a millisecond at most. False: the caller must launch it. */
bool arc_gpu_batch_takes(struct arc_gpu_batch *, const struct arc_gpu_call *);
/* The caller launched it, and the driver reported no error. */
void arc_gpu_batch_made(struct arc_gpu_batch *, const struct arc_gpu_call *);
/*
 * Submits deferred launches. Must be called before any other operation on the queue. False, with arc_because(): failed.
 */
bool arc_gpu_batch_settle(struct arc_gpu_batch *);

#endif
