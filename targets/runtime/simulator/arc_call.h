/* arc_call.h: one kernel's launch, as libarcrt's host back end calls it. */
#ifndef ARC_CALL_H
#define ARC_CALL_H
#include <cstddef>
#include <cstdint>
#include <vector>

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

/* Whether no two of them share memory; false if an extent is unknown. */
inline bool apart(const std::vector<arc_host_extent> &extents) {
  for (std::size_t k = 0; k < extents.size(); k++) {
    if (!extents[k].bytes) return false;
    for (std::size_t j = 0; j < k; j++)
      if (extents[k].start < extents[j].start + extents[j].bytes && extents[j].start < extents[k].start + extents[k].bytes)
        return false;
  }
  return true;
}

#endif
