/* driver.c: the threads that run kernels. */
#include "tasks/devices/driver.h"
#include "tasks/devices/kernel.h"
#include "tasks/run.h"
#include "tasks/schedule.h"
#include "report/error.h"
#include <stdlib.h>

struct arc_job {
  struct arc_job *next;
  struct arc_task *task;
  struct arc_way way;
  bool stays; /* the program says on which device */
};

struct seat {
  struct arc_station *station;
  int lane;
};

/* So many tasks wait for a device before another one of its kind that has none takes one of them. */
enum { CROWDED = 2 };

static struct {
  pthread_mutex_t lock; /* of all stations' lists */
  pthread_cond_t more;
  bool ending;
} drivers = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

/* ---------------------------------------------------------------- the list of a station */

static struct arc_job *remove_at(struct arc_station *station, struct arc_job **at) {
  struct arc_job *job = *at;
  *at = job->next;
  if (!*at) station->last = at;
  station->waiting--;
  return job;
}

/* By the policy's order, else in the order in which they became ready. */
static struct arc_job *next_of(struct arc_station *station) {
  struct arc_job **best = &station->first;
  if (!*best) return NULL;
  for (struct arc_job **at = &(*best)->next; *at; at = &(*at)->next)
    if (arc_task_ranks_above((*at)->task, (*best)->task)) best = at;
  return remove_at(station, best);
}

/* The last one that may move: its data is the least likely to be there. */
static struct arc_job *from_others(struct arc_station *own) {
  const struct arc_backend *backend = own->device->backend;
  for (int i = 0; i < ARC_MOST_DEVICES; i++) {
    struct arc_station *other = arc_station_used(backend, i);
    if (!other || other == own || other->waiting < CROWDED) continue;
    struct arc_job **last = NULL;
    for (struct arc_job **at = &other->first; *at; at = &(*at)->next)
      if (!(*at)->stays) last = at;
    if (!last) continue;
    struct arc_job *job = remove_at(other, last);
    atomic_fetch_sub(&other->tasks, 1);
    atomic_fetch_add(&own->tasks, 1);
    job->way.station = own;
    return job;
  }
  return NULL;
}

static struct arc_job *wait_for_job(struct arc_station *station) {
  pthread_mutex_lock(&drivers.lock);
  struct arc_job *job;
  while (!(job = next_of(station)) && !(job = from_others(station)) && !drivers.ending)
    pthread_cond_wait(&drivers.more, &drivers.lock);
  pthread_mutex_unlock(&drivers.lock);
  return job;
}

/* ---------------------------------------------------------------- threads */

static void drive(struct arc_thread *thread, void *seated) {
  struct seat *seat = seated;
  for (struct arc_job *job; (job = wait_for_job(seat->station));) {
    struct arc_task *task = job->task;
    struct arc_way way = job->way;
    free(job);
    way.lane = seat->lane;
    arc_way_run(thread, task, way);
    arc_task_ended(thread, task);
  }
  free(seat);
}

/* All devices of the kind have drivers: those that have nothing to do take from the others. */
static void start(struct arc_station *station) {
  const unsigned wanted = arc_station_drivers();
  while (station->drivers < wanted) {
    struct seat *seat = arc_allocate(sizeof *seat);
    *seat = (struct seat){station, ARC_LANE_DRIVERS + (int)station->drivers};
    if (!arc_thread_start(&station->threads[station->drivers], drive, seat)) {
      free(seat);
      if (station->drivers > 0) return;
      arc_fail(&(arc_site){"", 0, "task"}, "no-thread", "let the program have one more thread",
               "there is no thread for the kernels of %s", station->device->name);
    }
    station->drivers++;
  }
}

void arc_driver_give(struct arc_task *task, struct arc_way way) {
  struct arc_station *station = way.station;
  struct arc_job *job = arc_allocate(sizeof *job);
  *job = (struct arc_job){NULL, task, way, arc_kernel_wanted(task, way.version->kernel) >= 0 || way.learned};
  pthread_mutex_lock(&drivers.lock);
  start(station);
  *station->last = job;
  station->last = &job->next;
  station->waiting++;
  /* Drivers of all devices wait for the same. */
  pthread_cond_broadcast(&drivers.more);
  pthread_mutex_unlock(&drivers.lock);
}

void arc_drivers_end(void) {
  pthread_mutex_lock(&drivers.lock);
  drivers.ending = true;
  pthread_cond_broadcast(&drivers.more);
  pthread_mutex_unlock(&drivers.lock);
  for (int b = 0; b < ARC_BACKENDS; b++)
    for (int i = 0; i < ARC_MOST_DEVICES; i++) {
      struct arc_station *station = arc_station_used(arc_backends[b], i);
      for (unsigned k = 0; station && k < station->drivers; k++) pthread_join(station->threads[k], NULL);
    }
}
