/*
 * versions.c: which version of a task's body runs, and where.
 *
 * Of the versions that can run here the first one is taken whose device has nothing to do, else the host's. With the
 * policy `versioning` times decide that were measured before, for each version, device and amount of data (J. Planas,
 * R. M. Badia, E. Ayguade, J. Labarta, "Self-adaptive OmpSs tasks in heterogeneous environments", IPDPS 2013): each is
 * tried a few times, and then the one taken that would end first, after what its device has been given already.
 */
#include "tasks/versions.h"
#include "report/trace.h"
#include "tasks/copies.h"
#include "tasks/kernel.h"
#include "tasks/schedule.h"
#include "watch/story.h"
#include "watch/suspects.h"
#include <string.h>

/* So often each is tried. */
enum { TRIES = 3 };

/* What is known of one way to run a task. */
struct learned {
  struct learned *next;
  const arc_task_version *version;
  const struct arc_device *device; /* NULL: the host's threads */
  size_t bytes;                    /* of its data */
  unsigned started, ended;
  double mean; /* microseconds */
};

static struct {
  pthread_mutex_t lock;
  struct learned *first;
} times = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* One way to run the task; `version` NULL: none. */
struct way {
  const arc_task_version *version;
  struct arc_device *device; /* of a kernel */
  struct learned *learned;
};

static const arc_task_version *version_at(const arc_task_type *type, size_t i) {
  return i == 0 ? &type->own : &type->list[i - 1];
}

/* Regions in the body run on the device of the program. */
static bool is_here(const arc_site *site, const arc_task_version *version) {
  return !version->device || strcmp(version->device, arc_device_current(site)->backend->name) == 0;
}

static struct learned *learned_of(const arc_task_version *version, const struct arc_device *device, size_t bytes) {
  for (struct learned *at = times.first; at; at = at->next)
    if (at->version == version && at->device == device && at->bytes == bytes) return at;
  struct learned *made = arc_allocate(sizeof *made);
  *made = (struct learned){times.first, version, device, bytes, 0, 0, 0};
  return times.first = made;
}

/* Of what the device has been given, by the times measured so far; host threads have one task each. */
static double still_to_do(const struct arc_device *device) {
  double sum = 0;
  for (const struct learned *at = times.first; at && device; at = at->next)
    if (at->device == device) sum += at->mean * (double)(at->started - at->ended);
  return sum;
}

static bool is_better(const struct learned *a, const struct learned *b) {
  if (!b) return true;
  bool untried = b->started < TRIES || a->started < TRIES;
  if (untried) return a->started < b->started;
  return still_to_do(a->device) + a->mean < still_to_do(b->device) + b->mean;
}

static void consider(struct way *best, const arc_task_version *version, struct arc_device *device, size_t bytes) {
  struct learned *learned = learned_of(version, device, bytes);
  if (is_better(learned, best->learned)) *best = (struct way){version, device, learned};
}

/* Of versions all of which can run. */
static struct way by_time(const struct arc_task *task, const bool *possible) {
  const arc_task_type *type = task->type;
  struct way best = {0};
  size_t bytes = 0;
  for (unsigned i = 0; i < task->part_count; i++) bytes += task->parts[i].box.extent;
  for (size_t i = 0; i <= type->others; i++) {
    const arc_task_version *version = version_at(type, i);
    int count = !possible[i] ? 0 : version->kernel ? arc_task_devices(version->kernel->backend) : 1;
    int wanted = version->kernel ? arc_kernel_wanted(task, version->kernel) : -1;
    if (wanted >= 0 && wanted < count) count = wanted + 1;
    for (int k = wanted > 0 && wanted < count ? wanted : 0; k < count; k++) {
      struct arc_device *device = version->kernel ? arc_kernel_device(&type->site, version->kernel, k) : NULL;
      pthread_mutex_lock(&times.lock);
      consider(&best, version, device, bytes);
      pthread_mutex_unlock(&times.lock);
    }
  }
  return best;
}

static struct way by_order(const arc_task_type *type, const bool *possible) {
  struct way host = {0}, busy = {0};
  for (size_t i = 0; i <= type->others; i++) {
    const arc_task_version *version = version_at(type, i);
    if (!possible[i]) continue;
    if (!version->kernel) {
      /* One with regions comes before plain ones. */
      if (!host.version || (version->device && !host.version->device)) host.version = version;
      continue;
    }
    if (!busy.version) busy.version = version;
    if (!arc_kernel_busy(version->kernel)) return (struct way){.version = version};
  }
  return host.version ? host : busy;
}

enum { MOST_VERSIONS = 32 };

static struct way choose(const struct arc_task *task) {
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
  /* Regions for another device run wherever the program's do. */
  for (size_t i = 0; i <= type->others && !any; i++) any = possible[i] = version_at(type, i)->device != NULL;
  if (!any) return (struct way){.version = &type->own};
  return arc_policy()->learns ? by_time(task, possible) : by_order(type, possible);
}

static void run_on_host(const struct arc_task *task, const arc_task_version *version) {
  if (arc_copies_used())
    for (unsigned i = 0; i < task->part_count; i++)
      if (task->parts[i].copies) arc_copies_to_host(&task->type->site, &task->parts[i]);
  version->run(task->arguments);
}

static void perform(const struct arc_thread *thread, const struct arc_task *task, struct way way) {
  double begin = arc_tracing() ? arc_trace_now() : 0;
  if (way.version->kernel && task->suspect) arc_suspect_kernel(task);
  if (way.version->kernel) way.device = arc_task_run_kernel(task, way.version->kernel, way.device);
  else run_on_host(task, way.version);
  arc_story_ran(thread, task, way.version, way.device, begin);
}

static void perform_measured(const struct arc_thread *thread, const struct arc_task *task, struct way way) {
  struct learned *learned = way.learned;
  pthread_mutex_lock(&times.lock);
  learned->started++;
  pthread_mutex_unlock(&times.lock);
  double begin = arc_trace_now();
  perform(thread, task, way);
  double took = arc_trace_now() - begin;
  pthread_mutex_lock(&times.lock);
  learned->ended++;
  /* The first time compiles the kernel, and moves data that may stay. */
  learned->mean = learned->ended <= 2 ? took : learned->mean + (took - learned->mean) / (double)(learned->ended - 1);
  pthread_mutex_unlock(&times.lock);
}

static void warn_of_device(const arc_task_type *type) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const arc_task_type *told[16];
  static size_t count;
  if (is_here(&type->site, &type->own)) return;
  pthread_mutex_lock(&lock);
  bool is_new = count < sizeof told / sizeof told[0];
  for (size_t i = 0; i < count; i++) is_new = is_new && told[i] != type;
  if (is_new) told[count++] = type;
  pthread_mutex_unlock(&lock);
  if (is_new)
    arc_warn(&type->site, "other-device", "'%s' is for a device of kind %s; it runs on %s", type->own.label,
             type->own.device, arc_device_current(&type->site)->name);
}

void arc_task_perform(const struct arc_thread *thread, const struct arc_task *task) {
  const arc_task_type *type = task->type;
  if (type->others == 0 && !(type->own.kernel && arc_policy()->learns)) {
    if (type->own.device) warn_of_device(type);
    perform(thread, task, (struct way){.version = &type->own});
    return;
  }
  struct way way = choose(task);
  if (arc_verbosity() > 1 && type->others > 0)
    arc_note("%s:%d: task: %s runs as %s", type->site.file, type->site.line, type->own.label, way.version->label);
  if (way.learned) perform_measured(thread, task, way);
  else perform(thread, task, way);
}
