/*
 * versions.c: which version of a task's body runs, and where.
 *
 * Of the versions that can run here, the first whose device is not busy is chosen, otherwise the host's. The policy
 * `versioning` decides by times measured before, for each version, device and amount of data (J. Planas,
 * R. M. Badia, E. Ayguade, J. Labarta, "Self-adaptive OmpSs tasks in heterogeneous environments", IPDPS 2013): each is
 * tried a few times, after which the one that would end first is chosen, counting the work its device already has.
 */
#include "tasks/versions.h"
#include "image/images.h"
#include "report/trace.h"
#include "tasks/devices/copies.h"
#include "tasks/devices/driver.h"
#include "tasks/devices/kernel.h"
#include "tasks/schedule.h"
#include "watch/story.h"
#include "watch/suspects.h"
#include <string.h>

/* Number of trial runs of each. */
enum { TRIES = 3 };

/* Measurements of one way to run a task. */
struct arc_learned {
  struct arc_learned *next;
  const arc_task_version *version;
  const struct arc_device *device; /* NULL: the host's threads */
  size_t bytes;                    /* size of the task's data */
  unsigned started, ended;
  double mean; /* microseconds */
};

static struct {
  pthread_mutex_t lock;
  struct arc_learned *first;
} times = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const arc_task_version *version_at(const arc_task_type *type, size_t i) {
  return i == 0 ? &type->own : &type->list[i - 1];
}

static bool is_for_fpga(const arc_task_version *version) { return version->device && strcmp(version->device, "fpga") == 0; }

/* Regions in the body run on the program's device. Regions for FPGAs are simulated by any back end. */
static bool is_here(const arc_site *site, const arc_task_version *version) {
  if (!version->device) return true;
  const struct arc_device *device = arc_device_current(site);
  if (!is_for_fpga(version)) return strcmp(version->device, device->backend->name) == 0;
  return device->images && device->images->count > 0 && device->images->images[0]->fpga;
}

static struct arc_learned *learned_of(const arc_task_version *version, const struct arc_device *device, size_t bytes) {
  for (struct arc_learned *at = times.first; at; at = at->next)
    if (at->version == version && at->device == device && at->bytes == bytes) return at;
  struct arc_learned *made = arc_allocate(sizeof *made);
  *made = (struct arc_learned){times.first, version, device, bytes, 0, 0, 0};
  return times.first = made;
}

/* Expected time of the device's unfinished tasks, by measurements so far; host threads have one task each. */
static double still_to_do(const struct arc_device *device) {
  double sum = 0;
  for (const struct arc_learned *at = times.first; at && device; at = at->next)
    if (at->device == device) sum += at->mean * (double)(at->started - at->ended);
  return sum;
}

static bool is_better(const struct arc_learned *a, const struct arc_learned *b) {
  if (!b) return true;
  bool untried = b->started < TRIES || a->started < TRIES;
  if (untried) return a->started < b->started;
  return still_to_do(a->device) + a->mean < still_to_do(b->device) + b->mean;
}

static void consider(struct arc_way *best, const arc_task_version *version, struct arc_station *station, size_t bytes) {
  struct arc_learned *learned = learned_of(version, station ? station->device : NULL, bytes);
  if (is_better(learned, best->learned)) *best = (struct arc_way){version, station, learned, 0};
}

/* Chooses among the possible versions by time. */
static struct arc_way by_time(const struct arc_task *task, const bool *possible) {
  const arc_task_type *type = task->type;
  struct arc_way best = {0};
  size_t bytes = 0;
  for (unsigned i = 0; i < task->part_count; i++) bytes += task->parts[i].box.extent;
  for (size_t i = 0; i <= type->others; i++) {
    const arc_task_version *version = version_at(type, i);
    int count = !possible[i] ? 0 : version->kernel ? arc_task_devices(version->kernel->backend) : 1;
    int wanted = version->kernel ? arc_kernel_wanted(task, version->kernel) : -1;
    if (wanted >= 0 && wanted < count) count = wanted + 1;
    for (int k = wanted > 0 && wanted < count ? wanted : 0; k < count; k++) {
      const struct arc_backend *backend = version->kernel ? arc_backend_named(version->kernel->backend) : NULL;
      struct arc_station *station = backend ? arc_station_of(&type->site, backend, k) : NULL;
      pthread_mutex_lock(&times.lock);
      consider(&best, version, station, bytes);
      pthread_mutex_unlock(&times.lock);
    }
  }
  return best;
}

static struct arc_way by_order(const arc_task_type *type, const bool *possible) {
  struct arc_way host = {0}, busy = {0};
  for (size_t i = 0; i <= type->others; i++) {
    const arc_task_version *version = version_at(type, i);
    if (!possible[i]) continue;
    if (!version->kernel) {
      /* A version with regions is preferred to plain ones. */
      if (!host.version || (version->device && !host.version->device)) host.version = version;
      continue;
    }
    if (!busy.version) busy.version = version;
    if (!arc_kernel_busy(version->kernel)) return (struct arc_way){.version = version};
  }
  return host.version ? host : busy;
}

enum { MOST_VERSIONS = 32 };

static struct arc_way choose(const struct arc_task *task) {
  const arc_task_type *type = task->type;
  bool possible[MOST_VERSIONS];
  bool any = false;
  if (type->others >= MOST_VERSIONS)
    arc_fail(&type->site, "too-many-versions", "leave some out", "'%s' has more than %d versions", type->own.label,
             MOST_VERSIONS);
  for (size_t i = 0; i <= type->others; i++) {
    const arc_task_version *version = version_at(type, i);
    possible[i] = version->kernel ? arc_task_devices(version->kernel->backend) > 0 : is_here(&type->site, version);
    any = any || possible[i];
  }
  /* Otherwise regions for another device run wherever the program's regions run. */
  for (size_t i = 0; i <= type->others && !any; i++)
    any = possible[i] = version_at(type, i)->device && !is_for_fpga(version_at(type, i));
  if (!any) return (struct arc_way){.version = &type->own};
  return arc_policy()->learns ? by_time(task, possible) : by_order(type, possible);
}

static void run_on_host(const struct arc_task *task, const arc_task_version *version) {
  if (arc_copies_used())
    for (unsigned i = 0; i < task->part_count; i++)
      if (task->parts[i].copies) arc_copies_to_host(&task->type->site, &task->parts[i]);
  version->run(task->arguments);
}

void arc_way_measured(struct arc_way way, double took) {
  struct arc_learned *learned = way.learned;
  if (!learned) return;
  pthread_mutex_lock(&times.lock);
  learned->ended++;
  /* The first run is not counted in the mean: it compiles the kernel, and transfers data that may stay. */
  learned->mean = learned->ended <= 2 ? took : learned->mean + (took - learned->mean) / (double)(learned->ended - 1);
  pthread_mutex_unlock(&times.lock);
}

static void run_measured(struct arc_thread *thread, struct arc_task *task, struct arc_way way) {
  double begin = arc_tracing() || way.learned ? arc_trace_now() : 0;
  if (way.station) arc_kernel_run(task, way.version->kernel, way.station, way.lane);
  else run_on_host(task, way.version);
  if (way.learned) arc_way_measured(way, arc_trace_now() - begin);
  arc_story_ran(thread, task, way.version, way.station ? way.station->device : NULL, begin);
}

void arc_way_run(struct arc_thread *thread, struct arc_task *task, struct arc_way way) {
  struct arc_task *outer = thread->current;
  thread->current = task;
  run_measured(thread, task, way);
  thread->current = outer;
}

/* Fails if an FPGA's version cannot run on one; other versions give the same results on any device: a warning. */
static void check_device(const arc_task_type *type, const arc_task_version *version) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const arc_task_type *told[16];
  static size_t count;
  if (is_here(&type->site, version)) return;
  const struct arc_device *device = arc_device_current(&type->site);
  if (is_for_fpga(version))
    arc_fail(&type->site, "no-fpga", "build a target of the kind rtl, intel-fpga or vitis, and choose it with ARC_TARGET",
             "'%s' is for an FPGA, and the program's regions run on %s, as %s:%s has them", version->label, device->name,
             device->images ? device->images->target : "no target", device->images ? device->images->variant : "none");
  pthread_mutex_lock(&lock);
  bool is_new = count < sizeof told / sizeof told[0];
  for (size_t i = 0; i < count; i++) is_new = is_new && told[i] != type;
  if (is_new) told[count++] = type;
  pthread_mutex_unlock(&lock);
  if (is_new)
    arc_warn(&type->site, "other-device", "'%s' is for a device of kind %s; it runs on %s", version->label,
             version->device, device->name);
}

bool arc_task_may_follow(const struct arc_task *task) {
  const arc_task_type *type = task->type;
  return type->own.kernel && type->others == 0 && !arc_policy()->learns && !arc_suspects();
}

bool arc_task_can_follow(const struct arc_task *task, const struct arc_station *station) {
  return arc_kernel_belongs(task, task->type->own.kernel, station) && arc_copies_follow(station->device, task);
}

void arc_task_follow(struct arc_task *task, struct arc_station *station) {
  const arc_task_version *own = &task->type->own;
  arc_driver_give(task, (struct arc_way){.version = own, .station = arc_kernel_assign(task, own->kernel, station)});
}

bool arc_task_hand_over(struct arc_task *task) {
  const arc_task_type *type = task->type;
  if (!type->own.kernel || type->others > 0 || arc_policy()->learns) return false;
  arc_driver_give(task, (struct arc_way){.version = &type->own, .station = arc_kernel_assign(task, type->own.kernel, NULL)});
  return true;
}

bool arc_task_perform(struct arc_thread *thread, struct arc_task *task) {
  const arc_task_type *type = task->type;
  struct arc_way way = {.version = &type->own};
  if (type->others > 0 || (type->own.kernel && arc_policy()->learns)) way = choose(task);
  if (!way.version->kernel && way.version->device) check_device(type, way.version);
  if (arc_verbosity() > 1 && type->others > 0)
    arc_note("%s:%d: task: %s runs as %s", type->site.file, type->site.line, type->own.label, way.version->label);
  if (way.learned) {
    pthread_mutex_lock(&times.lock);
    way.learned->started++;
    pthread_mutex_unlock(&times.lock);
  }
  if (way.version->kernel) {
    way.station = arc_kernel_assign(task, way.version->kernel, way.station);
    way.lane = ARC_LANE_OTHERS;
    if (task->suspect) arc_suspect_kernel(task);
    /* The creating thread waits for this task, so it must be complete on return. */
    if (!(task->flags & ARC_TASK_WAITED)) {
      arc_driver_give(task, way);
      return false;
    }
  }
  run_measured(thread, task, way);
  return true;
}
