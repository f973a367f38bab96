/*
 * lanes.h: a device's queues for tasks, and what of them is done. Tasks of one lane follow each other; those of two do so
 * only where one was told to come after the other.
 */
#ifndef ARC_LANES_H
#define ARC_LANES_H
#include "tasks/devices/staging.h"

/* One for each of a device's drivers, one for who else runs a kernel, one for what comes back. */
enum arc_lane_use { ARC_LANE_DRIVERS = 0, ARC_LANE_OTHERS = 2, ARC_LANE_BACK = 3 };
/* Those that kernels run in. */
enum { ARC_KERNEL_LANES = 3 };

struct arc_lane {
  uint64_t queued;        /* tasks so far; a task's number is what it was when the task was queued */
  _Atomic uint64_t ended; /* the last one that has */
  uint64_t behind[ARC_KERNEL_LANES]; /* up to here, this lane comes after others */
  struct arc_staging staging;
};

struct arc_lanes {
  struct arc_device *device;
  struct arc_lane all[ARC_KERNEL_LANES]; /* guarded by who queues, `ended` excepted */
};

/* What is queued in `lane` from now on comes after a task of `other`. */
void arc_lane_follow(struct arc_lanes *, const arc_site *, int lane, int other, uint64_t number);
/* Whether a task may still be under way. */
static inline bool arc_lane_is_busy(const struct arc_lanes *lanes, int lane, uint64_t number) {
  return number > atomic_load_explicit(&lanes->all[lane].ended, memory_order_acquire);
}

#endif
