/* station.h: a device as the task runtime sees it: how many tasks it has, and who is queueing work there. */
#ifndef ARC_STATION_H
#define ARC_STATION_H
#include "tasks/devices/lanes.h"

/* Lanes that drivers queue tasks in: the kernel of one runs while the next task's data comes in the other. */
enum { ARC_DRIVER_LANES = ARC_LANE_OTHERS };

struct arc_job;
struct arc_under_way;

/* Tasks of a lane that are queued, the oldest first. */
struct arc_under_ways {
  struct arc_under_way *first, **last;
  unsigned count;
  pthread_cond_t more;
};

struct arc_station {
  struct arc_device *device;
  atomic_int tasks;       /* given to it, and not ended */
  /* Held by who queues a task: two that get their data there and share what memory is left could wait forever. */
  pthread_mutex_t taking;
  pthread_mutex_t others; /* held by who runs a kernel and is no driver */
  struct arc_lanes lanes; /* guarded by `taking` */
  /* driver.c's, guarded by its lock */
  struct arc_job *first, **last;
  unsigned waiting;
  int lowest; /* no task that waits has a lower priority */
  bool is_started, needs_room;
  pthread_cond_t room;
  pthread_t queues; /* the thread that queues tasks */
  pthread_t waits[ARC_DRIVER_LANES]; /* those that wait for what is queued */
  unsigned waiters; /* how many of them there are: fewer than lanes, and kernels run one by one */
  struct arc_under_ways under_way[ARC_DRIVER_LANES];
  double mean, ended; /* how long the device takes for a task, and when the last one ended, in microseconds */
};

/* Of a device's number among those of its back end; opens the device. */
struct arc_station *arc_station_of(const arc_site *, const struct arc_backend *, int ordinal);
/* The stations of a back end's devices that were ever used, by their numbers; NULL where there is none. */
struct arc_station *arc_station_used(const struct arc_backend *, int ordinal);

enum { ARC_MOST_DEVICES = 16 };

/* Whether tasks are queued behind each other: not with ARC_TASK_PREFETCH=0. */
bool arc_station_prefetches(void);

/* Devices on which kernels of the kind can run; 0 with arc_reason(). */
int arc_task_devices(const char *backend);

#endif
