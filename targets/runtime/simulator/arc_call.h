/* arc_call.h: one kernel's launch, as libarcrt's host back end calls it. */
#ifndef ARC_CALL_H
#define ARC_CALL_H
#include <cstdint>

/* arc_host_kernel.h's. */
struct arc_host_extent {
  uint64_t start, bytes;
};
struct arc_host_grid {
  int64_t grid[3], group[3];
  const arc_host_extent *extents;
};

struct Call {
  const arc_host_grid *grid;
  void *const *arguments;
};

#endif
