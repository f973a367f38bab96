/* thread.c: the threads that run tasks: how they start, find work, rest and end. */
#define _GNU_SOURCE
#include "tasks/thread.h"
#include "device/device.h"
#include "report/error.h"
#include "report/trace.h"
#include "tasks/devices/driver.h"
#include "tasks/run.h"
#include "tasks/schedule.h"
#include "watch/story.h"
#include "watch/suspects.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Limit of threads with task queues: workers, and program threads that create tasks. */
enum { MOST = 1024 };

/* Limit of nested waits in which a thread runs tasks that are not below the waiting one: each uses stack. */
enum { DEEPEST = 64 };

/* How often a thread looks for work before it sleeps. */
enum { LOOKS = 64 };

static struct arc_thread *_Atomic threads[MOST];
atomic_uint arc_thread_total;
_Thread_local struct arc_thread *arc_thread_mine;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t more;
  uint64_t turn; /* counts wake-ups */
  atomic_int sleepers;
  atomic_int woken; /* a thread was woken and has found no work yet */
  atomic_bool ending;
  pthread_t *workers;
  unsigned worker_count;
} rest = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

struct arc_thread *arc_thread_at(unsigned index) {
  return atomic_load_explicit(&threads[index], memory_order_acquire);
}

/* ---------------------------------------------------------------- rest */

void arc_threads_tell(void) {
  if (atomic_load(&rest.sleepers) == 0) return;
  pthread_mutex_lock(&rest.lock);
  rest.turn++;
  pthread_cond_broadcast(&rest.more);
  pthread_mutex_unlock(&rest.lock);
}

/* Wakes one thread, which wakes the next if there is more work. */
void arc_threads_wake(void) {
  if (atomic_load(&rest.sleepers) == 0 || atomic_exchange(&rest.woken, 1)) return;
  pthread_mutex_lock(&rest.lock);
  rest.turn++;
  pthread_cond_signal(&rest.more);
  pthread_mutex_unlock(&rest.lock);
}

struct arc_task *arc_thread_look(struct arc_thread *thread, struct arc_task *parent) {
  return arc_policy()->next(thread, thread->depth < DEEPEST ? NULL : parent);
}

/* Sleeps until `done` or until there is a task, which it returns. */
static struct arc_task *sleep_until(struct arc_thread *thread, bool (*done)(void *), void *what,
                                    struct arc_task *parent) {
  struct arc_task *task = NULL;
  pthread_mutex_lock(&rest.lock);
  atomic_fetch_add(&rest.sleepers, 1);
  while (!done(what)) {
    uint64_t turn = rest.turn;
    atomic_store(&rest.woken, 0);
    pthread_mutex_unlock(&rest.lock);
    /* Finds tasks added before this thread counted as a sleeper; later additions wake it. */
    task = arc_thread_look(thread, parent);
    pthread_mutex_lock(&rest.lock);
    if (task) break;
    while (rest.turn == turn && !done(what)) pthread_cond_wait(&rest.more, &rest.lock);
  }
  atomic_fetch_sub(&rest.sleepers, 1);
  bool passes_on = atomic_exchange(&rest.woken, 0);
  pthread_mutex_unlock(&rest.lock);
  /* There may be more tasks, or one that this thread leaves; others may be asleep. */
  if (task || passes_on) arc_threads_wake();
  return task;
}

void arc_thread_run(struct arc_thread *thread, struct arc_task *task) {
  thread->depth++;
  arc_task_run(thread, task);
  thread->depth--;
}

void arc_thread_run_until(struct arc_thread *thread, bool (*done)(void *), void *what, struct arc_task *parent) {
  double idle = 0; /* when idle time began */
  for (int looks = 0; !done(what);) {
    struct arc_task *task = arc_thread_look(thread, parent);
    if (!task && looks == 0 && arc_tracing()) idle = arc_trace_now();
    if (!task && ++looks > LOOKS) task = sleep_until(thread, done, what, parent);
    if (!task) {
      sched_yield();
      continue;
    }
    if (looks > 0) arc_story_idle(thread, idle);
    looks = 0;
    arc_thread_run(thread, task);
    idle = 0;
  }
  if (idle > 0) arc_story_idle(thread, idle);
}

/* ---------------------------------------------------------------- start and end */

static struct arc_thread *enlist(void) {
  struct arc_thread *thread = arc_allocate(sizeof *thread);
  unsigned index = atomic_load(&arc_thread_total);
  do {
    if (index == MOST)
      arc_fail(&(arc_site){"", 0, "task"}, "too-many-threads", "create tasks from fewer threads",
               "more than %d threads create tasks", MOST);
  } while (!atomic_compare_exchange_weak(&arc_thread_total, &index, index + 1));
  thread->index = index;
  thread->at_once = arc_policy()->at_once && !arc_suspects() && !arc_tracing();
  thread->random = index * 2654435761u + 1;
  thread->current = &thread->implicit;
  atomic_init(&thread->implicit.live, 1);
  atomic_store_explicit(&threads[index], thread, memory_order_release);
  return thread;
}

static bool ending(void *unused) {
  (void)unused;
  return atomic_load(&rest.ending);
}

static void *work(void *thread) {
  arc_thread_mine = thread;
  arc_thread_run_until(arc_thread_mine, ending, NULL, NULL);
  return NULL;
}

/* `exit` in a task cannot wait for the thread that runs it. */
static void end(void) {
  const struct arc_thread *thread = arc_thread_known();
  if (arc_failing() || atomic_load(&rest.ending) || !thread) return;
  if (thread->current != &thread->implicit || thread->index >= 1) return;
  arc_task_wait(&(arc_site){"", 0, "end of the program"});
  atomic_store(&rest.ending, true);
  arc_threads_tell();
  for (unsigned i = 0; i < rest.worker_count; i++) pthread_join(rest.workers[i], NULL);
  arc_drivers_end();
}

static unsigned wanted(void) {
  static const char *const names[] = {"ARC_NUM_THREADS", "OMP_NUM_THREADS"};
  for (int i = 0; i < 2; i++) {
    const char *text = getenv(names[i]);
    if (!text || !*text) continue;
    char *rest_of = NULL;
    long count = strtol(text, &rest_of, 10);
    if (count >= 1 && count <= MOST / 2 && (*rest_of == 0 || *rest_of == ',')) return (unsigned)count;
    arc_fail(&(arc_site){"", 0, "task"}, "bad-number", "set it to how many threads shall run tasks",
             "%s is '%s', which is no number from 1 to %d", names[i], text, MOST / 2);
  }
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return (unsigned)CPU_COUNT(&set);
  return 1;
}

struct start {
  void (*what)(struct arc_thread *, void *);
  void *given;
  struct arc_thread *thread;
};

static void *begin(void *given) {
  struct start start = *(struct start *)given;
  free(given);
  arc_thread_mine = start.thread;
  start.what(arc_thread_mine, start.given);
  return NULL;
}

bool arc_thread_start(pthread_t *made, void (*what)(struct arc_thread *, void *), void *given) {
  struct start *start = arc_allocate(sizeof *start);
  *start = (struct start){what, given, enlist()};
  if (pthread_create(made, NULL, begin, start) == 0) return true;
  free(start);
  return false;
}

static void start(void) {
  arc_thread_mine = enlist();
  unsigned count = wanted() - 1;
  rest.workers = arc_allocate((count + 1) * sizeof *rest.workers);
  for (unsigned i = 0; i < count; i++) {
    if (pthread_create(&rest.workers[rest.worker_count], NULL, work, enlist()) != 0) break;
    rest.worker_count++;
  }
  atexit(end);
  arc_device_before_closing(end);
}

struct arc_thread *arc_thread_first_here(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  if (!arc_thread_mine) arc_thread_mine = enlist();
  return arc_thread_mine;
}
