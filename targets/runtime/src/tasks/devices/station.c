/* station.c: the task runtime's state for each device. */
#include "tasks/devices/station.h"
#include <stdlib.h>
#include <string.h>

static struct arc_station *_Atomic stations[ARC_BACKENDS][ARC_MOST_DEVICES];

static int index_of(const struct arc_backend *backend) {
  for (int i = 0; i < ARC_BACKENDS; i++)
    if (arc_backends[i] == backend) return i;
  return 0;
}

struct arc_station *arc_station_used(const struct arc_backend *backend, int ordinal) {
  return atomic_load_explicit(&stations[index_of(backend)][ordinal], memory_order_acquire);
}

struct arc_station *arc_station_of(const arc_site *site, const struct arc_backend *backend, int ordinal) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct arc_station *found = arc_station_used(backend, ordinal);
  if (found) return found;
  struct arc_device *device = arc_device_of(site, backend, ordinal);
  pthread_mutex_lock(&lock);
  found = arc_station_used(backend, ordinal);
  if (!found) {
    found = arc_allocate(sizeof *found);
    found->device = device;
    found->lanes.device = device;
    found->last = &found->first;
    pthread_cond_init(&found->room, NULL);
    for (int lane = 0; lane < ARC_DRIVER_LANES; lane++) {
      found->under_way[lane].last = &found->under_way[lane].first;
      pthread_cond_init(&found->under_way[lane].more, NULL);
    }
    pthread_mutex_init(&found->taking, NULL);
    pthread_mutex_init(&found->others, NULL);
    atomic_store_explicit(&stations[index_of(backend)][ordinal], found, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return found;
}

bool arc_station_prefetches(void) {
  const char *text = getenv("ARC_TASK_PREFETCH");
  if (!text || !*text || strcmp(text, "1") == 0) return true;
  if (strcmp(text, "0") == 0) return false;
  arc_fail(NULL, "task-prefetch", "set it to 1, which is the default, or to 0", "ARC_TASK_PREFETCH=%s means nothing", text);
}

/* Counts devices once, under a lock: not all drivers allow it from several threads. */
int arc_task_devices(const char *name) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int counts[ARC_BACKENDS]; /* each plus 1; 0: not counted yet */
  const struct arc_backend *backend = arc_backend_named(name);
  if (!backend) return 0;
  pthread_mutex_lock(&lock);
  int *count = &counts[index_of(backend)];
  int found = *count > 0 ? *count - 1 : backend->devices();
  if (found > ARC_MOST_DEVICES) found = ARC_MOST_DEVICES;
  if (found > 0) *count = found + 1;
  pthread_mutex_unlock(&lock);
  return found;
}
