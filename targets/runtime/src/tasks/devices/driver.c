/* driver.c: the threads that queue kernels and wait for them. */
#include "tasks/devices/driver.h"
#include "tasks/devices/kernel.h"
#include "tasks/run.h"
#include "tasks/schedule.h"
#include "report/error.h"
#include "report/trace.h"
#include "watch/story.h"
#include <stdlib.h>

struct arc_job {
  struct arc_job *next;
  struct arc_task *task;
  struct arc_way way;
  bool stays; /* may not move to another device */
};

/* An idle device takes a task from one of its kind at which at least this many wait. */
enum { CROWDED = 2 };

static struct {
  pthread_mutex_t lock; /* of all stations' lists */
  pthread_cond_t more;
  unsigned idle; /* threads that wait for `more` */
  bool ending;   /* no more tasks will come */
  bool ended;    /* all of them are queued */
} drivers = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

/* ---------------------------------------------------------------- a station's list */

static struct arc_job *remove_at(struct arc_station *station, struct arc_job **at) {
  struct arc_job *job = *at;
  *at = job->next;
  if (!*at) station->last = at;
  station->waiting--;
  return job;
}

/* The list is in the order in which tasks became ready, by priority; a policy that measures may change the order. */
static struct arc_job *next_of(struct arc_station *station) {
  struct arc_job **best = &station->first;
  if (!*best) return NULL;
  for (struct arc_job **at = &(*best)->next; arc_policy()->measures && *at; at = &(*at)->next)
    if (arc_task_ranks_above((*at)->task, (*best)->task)) best = at;
  return remove_at(station, best);
}

static void put(struct arc_station *station, struct arc_job *job) {
  struct arc_job **at = station->last;
  const int priority = job->task->priority;
  /* Every waiting task has at least the priority of the last one. */
  if (!station->first || priority < station->lowest) station->lowest = priority;
  if (!arc_policy()->measures && priority > station->lowest)
    for (at = &station->first; *at && !arc_task_ranks_above(job->task, (*at)->task);) at = &(*at)->next;
  job->next = *at;
  *at = job;
  if (!job->next) station->last = &job->next;
  station->waiting++;
}

/* Steals the last task that may move: its data is the least likely to be on the other device. */
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

/*
 * Limits of the work queued on a device, in microseconds and in tasks: enough to keep it busy while the program's threads
 * are. Not more, since queued tasks can move to no other device, and tasks of higher priority cannot overtake them.
 */
static const double AHEAD = 1000;
enum { FEWEST = 2, MOST = 64 };

static unsigned under_way(const struct arc_station *station) {
  unsigned count = 0;
  for (int lane = 0; lane < ARC_DRIVER_LANES; lane++) count += station->under_way[lane].count;
  return count;
}

/* Called with the lock held. */
static unsigned most_under_way(const struct arc_station *station) {
  if (station->mean <= 0) return FEWEST;
  const double fitting = AHEAD / station->mean;
  return fitting < FEWEST ? FEWEST : fitting > MOST ? MOST : (unsigned)fitting;
}

static void wait_for_room(struct arc_station *station) {
  while (under_way(station) >= most_under_way(station)) {
    station->needs_room = true;
    pthread_cond_wait(&station->room, &drivers.lock);
  }
}

static struct arc_job *wait_for_job(struct arc_station *station) {
  pthread_mutex_lock(&drivers.lock);
  struct arc_job *job;
  for (;;) {
    wait_for_room(station);
    if ((job = next_of(station)) || (job = from_others(station)) || drivers.ending) break;
    drivers.idle++;
    pthread_cond_wait(&drivers.more, &drivers.lock);
    drivers.idle--;
  }
  pthread_mutex_unlock(&drivers.lock);
  return job;
}

/* ---------------------------------------------------------------- threads */

/* A task queued on its device. */
struct arc_under_way {
  struct arc_under_way *next;
  struct arc_task *task;
  struct arc_way way;
  double begin, queued; /* start and end of its queueing, in microseconds */
  struct arc_issued issued;
};

/* From this size on, a transfer is better overlapped with the kernel that the task waits for than queued behind it. */
enum { LARGE = 256 << 10 };

/* The lane of its dependences, or the one with fewer queued tasks; called with the lock held. */
static int lane_of(struct arc_station *station, const struct arc_task *task) {
  size_t missing;
  const int lane = arc_copies_lane(&station->lanes, task, &missing);
  if (lane >= 0 && missing < LARGE) return lane;
  return station->under_way[1].count < station->under_way[0].count;
}

static void add(struct arc_station *station, struct arc_under_way *one) {
  struct arc_under_ways *list = &station->under_way[one->way.lane];
  pthread_mutex_lock(&drivers.lock);
  *list->last = one;
  list->last = &one->next;
  if (list->count++ == 0) pthread_cond_signal(&list->more);
  pthread_mutex_unlock(&drivers.lock);
}

static void issue(struct arc_thread *thread, struct arc_station *station, struct arc_job *job) {
  struct arc_under_way *one = arc_allocate(sizeof *one);
  one->task = job->task;
  one->way = job->way;
  pthread_mutex_lock(&drivers.lock);
  one->way.lane = lane_of(station, job->task);
  pthread_mutex_unlock(&drivers.lock);
  one->begin = arc_trace_now();
  arc_kernel_issue(&one->issued, one->task, one->way.version->kernel, station, one->way.lane);
  one->queued = arc_trace_now();
  arc_task_issued(thread, one->task, station);
  add(station, one);
}

/* The station's thread that queues tasks. */
static void queue_tasks(struct arc_thread *thread, void *given) {
  struct arc_station *station = given;
  for (struct arc_job *job; (job = wait_for_job(station));) {
    if (station->waiters == ARC_DRIVER_LANES) {
      issue(thread, station, job);
    } else {
      job->way.lane = ARC_LANE_DRIVERS;
      arc_way_run(thread, job->task, job->way);
      arc_task_ended(thread, job->task);
    }
    free(job);
  }
}

/* Waits for the lane's oldest queued task; NULL: no more will come. */
static struct arc_under_way *oldest(struct arc_under_ways *list) {
  pthread_mutex_lock(&drivers.lock);
  while (!list->first && !drivers.ended) pthread_cond_wait(&list->more, &drivers.lock);
  struct arc_under_way *one = list->first;
  pthread_mutex_unlock(&drivers.lock);
  return one;
}

/* Removes it from the list; returns its time since it was queued or since the task before it ended. */
static double leave(struct arc_station *station, struct arc_under_ways *list) {
  const double now = arc_trace_now();
  pthread_mutex_lock(&drivers.lock);
  struct arc_under_way *one = list->first;
  list->first = one->next;
  if (!list->first) list->last = &list->first;
  list->count--;
  const double worked = now - (one->queued > station->ended ? one->queued : station->ended);
  if (one->begin < station->ended) one->begin = station->ended;
  const double took = now > one->begin ? now - one->begin : 0;
  station->ended = now;
  station->mean = station->mean <= 0 ? worked : (7 * station->mean + (worked > 0 ? worked : 0)) / 8;
  /* Wakes the queueing thread once for several tasks, not for each. */
  if (station->needs_room && under_way(station) <= most_under_way(station) / 2) {
    station->needs_room = false;
    pthread_cond_signal(&station->room);
  }
  pthread_mutex_unlock(&drivers.lock);
  return took;
}

static void retire(struct arc_thread *thread, struct arc_station *station, struct arc_under_ways *list,
                   struct arc_under_way *one) {
  struct arc_task *task = one->task;
  arc_kernel_retire(&one->issued);
  arc_way_measured(one->way, leave(station, list));
  arc_story_ran(thread, task, one->way.version, station->device, one->begin);
  free(one);
  arc_task_retired(thread, task);
}

static _Noreturn void failed(const struct arc_station *station, const struct arc_under_way *one) {
  pthread_mutex_lock(&drivers.lock);
  const unsigned others = under_way(station) - 1;
  pthread_mutex_unlock(&drivers.lock);
  arc_kernel_failed(&one->issued, others);
}

/* Ends the program if the oldest unfinished task of a lane has failed. */
static void look_back(struct arc_device *device) {
  const struct arc_station *station = arc_station_used(device->backend, device->ordinal);
  struct arc_issued first;
  bool found = false;
  pthread_mutex_lock(&drivers.lock);
  const unsigned others = station ? under_way(station) - 1 : 0;
  for (int lane = 0; station && lane < ARC_DRIVER_LANES && !found; lane++) {
    const struct arc_under_way *one = station->under_way[lane].first;
    found = one && arc_kernel_reached(&one->issued) < 0;
    if (found) first = one->issued;
  }
  pthread_mutex_unlock(&drivers.lock);
  if (found) arc_kernel_failed(&first, others);
}

struct seat {
  struct arc_station *station;
  int lane;
};

/* Completes the lane's tasks. */
static void wait_for_tasks(struct arc_thread *thread, void *given) {
  const struct seat seat = *(struct seat *)given;
  free(given);
  struct arc_under_ways *list = &seat.station->under_way[seat.lane];
  for (struct arc_under_way *one; (one = oldest(list));) {
    if (!arc_kernel_await(&one->issued)) failed(seat.station, one);
    retire(thread, seat.station, list, one);
  }
}

/* Starts drivers; idle ones take tasks from other devices of their kind. */
static void start(struct arc_station *station) {
  if (station->is_started) return;
  station->is_started = true;
  unsigned waiters = 0;
  bool prefetches = arc_station_prefetches() && station->device->backend->point;
  for (int lane = 0; prefetches && lane < ARC_DRIVER_LANES; lane++) {
    struct seat *seat = arc_allocate(sizeof *seat);
    *seat = (struct seat){station, lane};
    if (arc_thread_start(&station->waits[lane], wait_for_tasks, seat)) waiters++;
    else free(seat);
    if (waiters == (unsigned)lane) break;
  }
  station->waiters = waiters;
  /* The thread reads `waiters`, so all must be started before. */
  if (!arc_thread_start(&station->queues, queue_tasks, station))
    arc_fail(&(arc_site){"", 0, "task"}, "no-thread", "let the program have one more thread",
             "there is no thread for the kernels of %s", station->device->name);
}

void arc_driver_give(struct arc_task *task, struct arc_way way) {
  struct arc_station *station = way.station;
  struct arc_job *job = arc_allocate(sizeof *job);
  *job = (struct arc_job){NULL, task, way, arc_kernel_wanted(task, way.version->kernel) >= 0 || way.learned || task->early};
  arc_moves_suspect(look_back);
  pthread_mutex_lock(&drivers.lock);
  start(station);
  put(station, job);
  /* Drivers of all devices wait on one condition. */
  if (drivers.idle > 0) pthread_cond_broadcast(&drivers.more);
  pthread_mutex_unlock(&drivers.lock);
}

static void each_station(void (*what)(struct arc_station *)) {
  for (int b = 0; b < ARC_BACKENDS; b++)
    for (int i = 0; i < ARC_MOST_DEVICES; i++) {
      struct arc_station *station = arc_station_used(arc_backends[b], i);
      if (station && station->is_started) what(station);
    }
}

static void end_queueing(struct arc_station *station) { pthread_join(station->queues, NULL); }

static void end_waiting(struct arc_station *station) {
  struct arc_device *device = station->device;
  for (int lane = 0; lane < ARC_DRIVER_LANES; lane++) {
    pthread_cond_signal(&station->under_way[lane].more);
    if ((unsigned)lane < station->waiters) pthread_join(station->waits[lane], NULL);
    arc_device_lock(device);
    if (device->lanes[lane]) arc_staging_close(&station->lanes.all[lane].staging, device, device->lanes[lane]);
    arc_device_unlock(device);
  }
}

void arc_drivers_end(void) {
  pthread_mutex_lock(&drivers.lock);
  drivers.ending = true;
  pthread_cond_broadcast(&drivers.more);
  pthread_mutex_unlock(&drivers.lock);
  each_station(end_queueing);
  pthread_mutex_lock(&drivers.lock);
  drivers.ended = true;
  pthread_mutex_unlock(&drivers.lock);
  each_station(end_waiting);
}
