/*
 * gpu_ring.h: large transfers of pageable host memory. A driver copies such memory through its own pinned memory with
 * one thread; here several threads fill and empty pinned buffers while the device reads and writes others.
 */
#ifndef ARC_GPU_RING_H
#define ARC_GPU_RING_H
#include "backend/gpu/gpu_driver.h"

struct arc_gpu_ring;

/* NULL: the driver provides no pinned memory, the machine has one processor, or ARC_COPY_THREADS=0. */
struct arc_gpu_ring *arc_gpu_ring_open(const struct arc_gpu_driver *, gpu_context);
void arc_gpu_ring_close(struct arc_gpu_ring *);

/* Whether a transfer should use the ring. Pinning memory has a one-time cost, so plain transfers come first. */
bool arc_gpu_ring_wanted(struct arc_gpu_ring *, const void *host, size_t bytes);

/*
 * Moves bytes in stream order; the host memory may be reused on return. One call at a time. False, with arc_because(),
 * if the driver failed.
 */
bool arc_gpu_ring_write(struct arc_gpu_ring *, gpu_stream, gpu_address to, const void *host, size_t bytes);
bool arc_gpu_ring_read(struct arc_gpu_ring *, gpu_stream, void *host, gpu_address from, size_t bytes);

#endif
