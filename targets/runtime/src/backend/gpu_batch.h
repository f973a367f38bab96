/*
 * gpu_batch.h: launches that follow each other in a queue, given to the driver many at a time, as a graph. One by one, a
 * driver takes longer for a launch than a device for a small kernel.
 */
#ifndef ARC_GPU_BATCH_H
#define ARC_GPU_BATCH_H
#include "backend/gpu_driver.h"

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
/* Whatever was put off is under way, and nothing is kept of kernels, which may go now. */
void arc_gpu_batches_forget(struct arc_gpu_batches *);

/* NULL without batches; the others take that for a queue whose launches are never put off. */
struct arc_gpu_batch *arc_gpu_batch_open(struct arc_gpu_batches *, gpu_stream);
void arc_gpu_batch_close(struct arc_gpu_batch *);
/* Puts the launch off, for a fraction of a millisecond at most. False: the caller must make it. */
bool arc_gpu_batch_takes(struct arc_gpu_batch *, const struct arc_gpu_call *);
/* The caller made it, and the driver found no fault. */
void arc_gpu_batch_made(struct arc_gpu_batch *, const struct arc_gpu_call *);
/* Whatever was put off is under way. Before anything else is done with the queue. False, with arc_because(): failed. */
bool arc_gpu_batch_settle(struct arc_gpu_batch *);

#endif
