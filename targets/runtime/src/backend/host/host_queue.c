/*
 * host_queue.c: queues as threads. One team runs all kernels that are queued one behind the other, which takes a barrier for
 * each and not a fork. A kernel of one group that recently took no longer than waking the queue's thread runs in the
 * launching thread, if nothing is queued before it; others do not, as a second team of threads would slow both down.
 */
#define _POSIX_C_SOURCE 200809L
#include "backend/host/host_queue.h"
#include "backend/host/arguments.h"
#include "report/trace.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Microseconds; a delay beyond the second cannot be due to another process. */
static const double brief_time = 30, long_time = 1e4;
/*
 * Number of consecutive brief runs after which a kernel counts as brief, and how many are remembered. Of one that was
 * brief so often, every eighth run is timed: reading the clock twice takes a tenth of a launch.
 */
enum { brief_runs = 8, most_runs = 64, timed_runs = 8 };
/* With more tasks under way, a launching thread waits until half are done: it leaves its processor to the team. */
enum { most_under_way = 128 };

/* A task followed by storage for its arguments; kept for reuse. */
struct node {
  struct node *next;
  struct arc_host_task task;
  size_t capacity; /* bytes of storage */
  max_align_t storage[];
};

/* The last kernel, and its number of consecutive brief runs. */
struct history {
  const struct arc_host_code *kernel;
  unsigned runs;
};

struct arc_host_queue {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t submitted_more, completed_more;
  struct node *first, **last;
  struct node *spare;
  uint64_t submitted;
  _Atomic uint64_t completed, wanted; /* wanted: the least number of completed tasks that a thread waits for */
  struct history history;
  const struct arc_host_code *newest; /* of the last task submitted, NULL: it is no kernel; `alike` in a row are */
  uint64_t alike;
  bool taken; /* a caller runs a kernel: later tasks wait */
  bool closing;
};

/* With the lock held. */
static void await_locked(struct arc_host_queue *queue, uint64_t count) {
  for (;;) {
    if (count < queue->wanted) queue->wanted = count;
    if (queue->completed >= count) return;
    pthread_cond_wait(&queue->completed_more, &queue->lock);
  }
}

static void await(struct arc_host_queue *queue, uint64_t count) {
  pthread_mutex_lock(&queue->lock);
  await_locked(queue, count);
  pthread_mutex_unlock(&queue->lock);
}

/* A waiter announces its target before it checks the completed count, so no wake-up is missed. */
static void complete(struct arc_host_queue *queue) {
  if (++queue->completed < queue->wanted) return;
  pthread_mutex_lock(&queue->lock);
  queue->wanted = UINT64_MAX;
  pthread_cond_broadcast(&queue->completed_more);
  pthread_mutex_unlock(&queue->lock);
}

static void run_team(const struct arc_host_code *code, const struct arc_team_work *work) {
  code->fork(work->run, work->of);
  work->end(work->of);
}

void arc_host_task_run(const struct arc_host_task *task) {
  switch (task->kind) {
  case ARC_HOST_MOVE: memmove(task->to, task->from, task->bytes); break;
  case ARC_HOST_FILL: memset(task->to, task->byte, task->bytes); break;
  case ARC_HOST_KERNEL: task->code->run(&task->grid, task->arguments); break;
  case ARC_HOST_TEAM: run_team(task->code, &task->work); break;
  case ARC_HOST_AWAIT: await(task->queue, task->count); break;
  case ARC_HOST_STAMP: *task->stamp = arc_trace_now(); break;
  }
}

static void note_time(struct history *history, const struct arc_host_code *kernel, double time) {
  if (history->kernel != kernel || time > long_time) history->runs = 0;
  history->kernel = kernel;
  if (time > brief_time) history->runs /= 2;
  else if (history->runs < most_runs) history->runs++;
}

static bool needs_team(const struct arc_host_task *task) {
  return task->kind == ARC_HOST_KERNEL && task->code->fork && task->code->openmp && task->grid.grid[0] > 1;
}

/* Kernels that are queued one behind the other, from `node` to `end`. */
struct stretch {
  struct arc_host_queue *queue;
  const struct node *node, *end;
};

static void run_stretch(void *of, int number) {
  const struct stretch *stretch = of;
  struct arc_team_thread thread = {.number = number};
  for (const struct node *node = stretch->node; node != stretch->end; node = node->next) {
    struct arc_host_grid grid = node->task.grid;
    grid.part = ARC_SHARE;
    if (arc_host_turn(&thread, node->task.code, &grid)) node->task.code->run(&grid, node->task.arguments);
    /* The first thread is done with it, and so are the others, as kernels of several groups end with a barrier. */
    if (number == 0) complete(stretch->queue);
  }
}

/* What is behind the kernels that a team for the first of them can run. */
static struct node *end_of_stretch(const struct node *first) {
  struct node *node = first->next;
  for (; node && node->task.kind == ARC_HOST_KERNEL; node = node->next) {
    const struct arc_host_code *code = node->task.code;
    if (!code->fork || code->openmp != first->task.code->openmp) break;
  }
  return node;
}

/* Runs tasks one after the other; returns the last one. */
static struct node *run_all(struct arc_host_queue *queue, struct node *node, struct history *history) {
  for (;; node = node->next) {
    struct node *end = needs_team(&node->task) ? end_of_stretch(node) : node->next;
    if (end != node->next) {
      struct stretch stretch = {queue, node, end};
      node->task.code->fork(run_stretch, &stretch);
      while (node->next != end) node = node->next;
      if (!end) return node;
      continue;
    }
    const bool timed = node->task.kind == ARC_HOST_KERNEL;
    const double begin = timed ? arc_trace_now() : 0;
    arc_host_task_run(&node->task);
    if (timed) note_time(history, node->task.code, arc_trace_now() - begin);
    complete(queue);
    if (!node->next) return node;
  }
}

/* Takes all queued tasks at once: the lock is needed by callers, who submit faster than small kernels run. */
static void *serve(void *argument) {
  struct arc_host_queue *queue = argument;
  pthread_mutex_lock(&queue->lock);
  for (;;) {
    while (queue->taken || (!queue->first && !queue->closing))
      pthread_cond_wait(&queue->submitted_more, &queue->lock);
    struct node *first = queue->first;
    if (!first) break;
    queue->first = NULL;
    queue->last = &queue->first;
    struct history history = queue->history;
    pthread_mutex_unlock(&queue->lock);
    struct node *last = run_all(queue, first, &history);
    pthread_mutex_lock(&queue->lock);
    last->next = queue->spare;
    queue->spare = first;
    queue->history = history;
  }
  pthread_mutex_unlock(&queue->lock);
  return NULL;
}

struct arc_host_queue *arc_host_queue_open(void) {
  struct arc_host_queue *queue = arc_allocate(sizeof *queue);
  queue->last = &queue->first;
  queue->wanted = UINT64_MAX;
  pthread_mutex_init(&queue->lock, NULL);
  pthread_cond_init(&queue->submitted_more, NULL);
  pthread_cond_init(&queue->completed_more, NULL);
  int failed = pthread_create(&queue->thread, NULL, serve, queue);
  if (!failed) return queue;
  free(queue);
  errno = failed;
  return NULL;
}

static void free_nodes(struct node *node) {
  while (node) {
    struct node *next = node->next;
    free(node);
    node = next;
  }
}

/* A node with at least that much storage. */
static struct node *take_node(struct arc_host_queue *queue, size_t bytes) {
  pthread_mutex_lock(&queue->lock);
  struct node *node = queue->spare;
  if (node) queue->spare = node->next;
  pthread_mutex_unlock(&queue->lock);
  if (node && node->capacity >= bytes) return node;
  node = arc_resize(node, sizeof *node + bytes);
  node->capacity = bytes;
  return node;
}

/* A kernel with a copy of what it is passed. */
static struct node *kernel_node(struct arc_host_queue *queue, const struct arc_host_task *task, size_t n,
                                const struct arc_pass *passes) {
  void **kept;
  struct arc_host_extent *kept_extents;
  const size_t arguments = arc_aligned(n * sizeof *kept), extents = arc_aligned(n * sizeof *kept_extents);
  size_t bytes = arguments + extents;
  for (size_t i = 0; i < n; i++) bytes += passes[i].is_place ? 0 : arc_aligned(passes[i].size);
  struct node *node = take_node(queue, bytes);
  kept = (void **)node->storage;
  kept_extents = (void *)((char *)node->storage + arguments);
  char *values = (char *)kept_extents + extents;
  arc_host_arguments(n, passes, kept, kept_extents);
  for (size_t i = 0; i < n; i++) {
    if (passes[i].is_place) continue;
    kept[i] = memcpy(values, passes[i].bytes, passes[i].size);
    kept_extents[i].start = (uintptr_t)values;
    values += arc_aligned(passes[i].size);
  }
  node->next = NULL;
  node->task = *task;
  node->task.arguments = kept;
  node->task.grid.extents = kept_extents;
  return node;
}

/* With the lock held: counts one more submitted task. */
static void count(struct arc_host_queue *queue, const struct arc_host_task *task) {
  const struct arc_host_code *kernel = task->kind == ARC_HOST_KERNEL ? task->code : NULL;
  queue->alike = kernel == queue->newest ? queue->alike + 1 : 1;
  queue->newest = kernel;
  queue->submitted++;
}

static void push(struct arc_host_queue *queue, struct node *node) {
  node->next = NULL;
  pthread_mutex_lock(&queue->lock);
  *queue->last = node;
  queue->last = &node->next;
  count(queue, &node->task);
  pthread_cond_signal(&queue->submitted_more);
  if (queue->submitted - queue->completed > most_under_way) await_locked(queue, queue->submitted - most_under_way / 2);
  pthread_mutex_unlock(&queue->lock);
}

/* With the lock held: whether the kernel was brief, and nothing is to be done before it. */
static bool is_brief(const struct arc_host_queue *queue, const struct arc_host_code *kernel) {
  const uint64_t left = queue->submitted - queue->completed;
  return queue->history.kernel == kernel && queue->history.runs >= brief_runs &&
         (left == 0 || (queue->newest == kernel && queue->alike >= left));
}

/* Runs the kernel here if allowed. */
static bool run_brief(struct arc_host_queue *queue, const struct arc_host_task *task, size_t n,
                      const struct arc_pass *passes) {
  pthread_mutex_lock(&queue->lock);
  /* Waits for the tasks before it, which are brief, too. */
  while (is_brief(queue, task->code) && queue->completed < queue->submitted)
    await_locked(queue, queue->submitted);
  const bool good = is_brief(queue, task->code);
  const bool timed = queue->history.runs < most_runs || queue->submitted % timed_runs == 0;
  if (good) {
    queue->taken = true;
    count(queue, task);
  }
  pthread_mutex_unlock(&queue->lock);
  if (!good) return false;
  const double begin = timed ? arc_trace_now() : 0;
  arc_host_call(task->code->run, task->grid, n, passes);
  const double time = timed ? arc_trace_now() - begin : 0;
  pthread_mutex_lock(&queue->lock);
  if (timed) note_time(&queue->history, task->code, time);
  queue->taken = false;
  if (queue->first) pthread_cond_signal(&queue->submitted_more);
  pthread_mutex_unlock(&queue->lock);
  complete(queue);
  return true;
}

void arc_host_queue_submit_kernel(struct arc_host_queue *queue, const struct arc_host_task *task, size_t n,
                                  const struct arc_pass *passes) {
  if (!needs_team(task) && run_brief(queue, task, n, passes)) return;
  push(queue, kernel_node(queue, task, n, passes));
}

void arc_host_queue_submit(struct arc_host_queue *queue, const struct arc_host_task *task) {
  struct node *node = take_node(queue, 0);
  node->task = *task;
  push(queue, node);
}

uint64_t arc_host_queue_submitted(struct arc_host_queue *queue) {
  pthread_mutex_lock(&queue->lock);
  uint64_t submitted = queue->submitted;
  pthread_mutex_unlock(&queue->lock);
  return submitted;
}

void arc_host_queue_finish(struct arc_host_queue *queue) { await(queue, arc_host_queue_submitted(queue)); }

bool arc_host_queue_idle(struct arc_host_queue *queue) {
  pthread_mutex_lock(&queue->lock);
  bool idle = queue->completed == queue->submitted;
  pthread_mutex_unlock(&queue->lock);
  return idle;
}

void arc_host_queue_close(struct arc_host_queue *queue) {
  pthread_mutex_lock(&queue->lock);
  queue->closing = true;
  pthread_cond_signal(&queue->submitted_more);
  pthread_mutex_unlock(&queue->lock);
  pthread_join(queue->thread, NULL);
  pthread_cond_destroy(&queue->submitted_more);
  pthread_cond_destroy(&queue->completed_more);
  pthread_mutex_destroy(&queue->lock);
  free_nodes(queue->spare);
  free(queue);
}
