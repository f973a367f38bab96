/* station.h: the task runtime's state for one device: its tasks, and the threads that queue work there. */
#ifndef ARC_STATION_H
#define ARC_STATION_H
#include "tasks/devices/lanes.h"

/* Lanes that drivers queue tasks in: one runs a kernel while the other transfers the next task's data. */
enum { ARC_DRIVER_LANES = ARC_LANE_OTHERS };

struct arc_job;
struct arc_under_way;

/* A lane's queued tasks, oldest first. */
struct arc_under_ways {
  struct arc_under_way *first, **last;
  unsigned count;
  pthread_cond_t more;
};

struct arc_station {
  struct arc_device *device;
  atomic_int tasks;       /* assigned to it and unfinished */
  /* Held while a task is queued: two tasks that acquire memory at once could deadlock over what is left. */
  pthread_mutex_t taking;
  pthread_mutex_t others; /* held by threads other than drivers while they run a kernel */
  struct arc_lanes lanes; /* guarded by `taking` */
  /* Used by driver.c, guarded by its lock. */
  struct arc_job *first, **last;
  unsigned waiting;
  int lowest; /* no waiting task has a lower priority */
  bool is_started, needs_room;
  pthread_cond_t room;
  pthread_t queues; /* the thread that queues tasks */
  pthread_t waits[ARC_DRIVER_LANES]; /* the threads that wait for queued tasks */
  unsigned waiters; /* how many of them exist; if fewer than lanes, kernels run one by one */
  struct arc_under_ways under_way[ARC_DRIVER_LANES];
  double mean, ended; /* mean time per task, and the time at which the last one ended, in microseconds */
};

/* The station of a back end's device number `ordinal`; opens the device. */
struct arc_station *arc_station_of(const arc_site *, const struct arc_backend *, int ordinal);
/* The same if that station was ever used, else NULL. */
struct arc_station *arc_station_used(const struct arc_backend *, int ordinal);

enum { ARC_MOST_DEVICES = 16 };

/* Whether tasks are queued behind unfinished ones: not with ARC_TASK_PREFETCH=0. */
bool arc_station_prefetches(void);

/* How many devices can run kernels of the back end; 0 with arc_reason(). */
int arc_task_devices(const char *backend);

#endif
