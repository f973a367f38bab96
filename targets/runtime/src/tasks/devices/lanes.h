/*
 * lanes.h: a device's task queues and their progress. Tasks of one lane run in order; tasks of different lanes are
 * ordered only by arc_lane_follow.
 */
#ifndef ARC_LANES_H
#define ARC_LANES_H
#include "tasks/devices/staging.h"

/* One for each driver lane, one for other threads that run kernels, one for transfers to the host. */
enum arc_lane_use { ARC_LANE_DRIVERS = 0, ARC_LANE_OTHERS = 2, ARC_LANE_BACK = 3 };
/* The lanes that kernels run in. */
enum { ARC_KERNEL_LANES = 3 };

struct arc_lane {
  uint64_t queued;        /* number of tasks so far; a task's number is the count including itself */
  _Atomic uint64_t ended; /* number of the last task that ended */
  uint64_t behind[ARC_KERNEL_LANES]; /* per lane: the last task that this lane waits for */
  struct arc_staging staging;
};

struct arc_lanes {
  struct arc_device *device;
  struct arc_lane all[ARC_KERNEL_LANES]; /* guarded by the station's `taking`, except `ended` */
};

/* Work queued in `lane` from now on runs after a task of `other`. */
void arc_lane_follow(struct arc_lanes *, const arc_site *, int lane, int other, uint64_t number);
/* Whether a task may still be unfinished. */
static inline bool arc_lane_is_busy(const struct arc_lanes *lanes, int lane, uint64_t number) {
  return number > atomic_load_explicit(&lanes->all[lane].ended, memory_order_acquire);
}

#endif
