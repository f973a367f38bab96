/* arc_host_kernel.h: what a kernel of the host back end is compiled against. */
#ifndef ARC_HOST_KERNEL_H
#define ARC_HOST_KERNEL_H
#include <stdint.h>

/* The memory that an argument leads into; 0 bytes: a value, or not known. */
struct arc_host_extent {
  uint64_t start, bytes;
};

/* A launch: its geometry, from the image's launch record, and how far its arguments lead. */
struct arc_host_grid {
  int64_t grid[3];  /* groups */
  int64_t group[3]; /* work-items of a group */
  const struct arc_host_extent *extents; /* of each argument: for devices that have memory of their own */
};

/* An entry point: the element of a buffer is the device pointer, that of a value points to its bytes. */
typedef void arc_host_kernel(const struct arc_host_grid *, void *const *args);

#endif
