/* arc_host_kernel.h: what a kernel of the host back end is compiled against. */
#ifndef ARC_HOST_KERNEL_H
#define ARC_HOST_KERNEL_H
#include <stdint.h>

/* Geometry of a launch, from the image's launch record. */
struct arc_host_grid {
  int64_t grid[3];  /* groups */
  int64_t group[3]; /* work-items of a group */
};

/* An entry point: the element of a buffer is the device pointer, that of a value points to its bytes. */
typedef void arc_host_kernel(const struct arc_host_grid *, void *const *args);

#endif
