/* station.h: a device as the task runtime sees it: how many tasks it has, and who is bringing data there. */
#ifndef ARC_STATION_H
#define ARC_STATION_H
#include "device/device.h"

/* One thread's kernel runs while the other brings the next task's data. */
enum { ARC_DRIVERS = 2 };

struct arc_job;

struct arc_station {
  struct arc_device *device;
  atomic_int tasks;       /* given to it, and not ended */
  pthread_mutex_t taking; /* held by the task that gets its data there: two that share what is left could wait forever */
  pthread_mutex_t others; /* held by who runs a kernel and is no driver */
  /* driver.c's, guarded by its lock */
  struct arc_job *first, **last;
  unsigned waiting, drivers;
  pthread_t threads[ARC_DRIVERS];
};

/* Of a device's number among those of its back end; opens the device. */
struct arc_station *arc_station_of(const arc_site *, const struct arc_backend *, int ordinal);
/* The stations of a back end's devices that were ever used, by their numbers; NULL where there is none. */
struct arc_station *arc_station_used(const struct arc_backend *, int ordinal);

enum { ARC_MOST_DEVICES = 16 };

/* How many drivers each has: one with ARC_TASK_PREFETCH=0, so that data is brought when the kernel before has ended. */
unsigned arc_station_drivers(void);

/* Devices on which kernels of the kind can run; 0 with arc_reason(). */
int arc_task_devices(const char *backend);

#endif
