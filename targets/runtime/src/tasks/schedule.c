/*
 * schedule.c: scheduling policies.
 *
 * locality       a thread runs the task that it made ready last, whose data is in its cache, and steals what others made
 *                ready first; tasks with a priority come before all others
 * breadth-first  in the order in which tasks became ready
 * priority       highest priority first; among equals, in the order in which they became ready
 * critical-path  first the task with the longest known chain of tasks waiting for it
 * versioning     as locality; of several versions of a task, the one that would end first (versions.c)
 */
#include "tasks/schedule.h"
#include "report/error.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static bool is_below(const struct arc_task *task, const struct arc_task *above) {
  if (!above) return true;
  for (task = task->parent; task; task = task->parent)
    if (task == above) return true;
  return false;
}

/* ---------------------------------------------------------------- deques */

static void push(struct arc_deque *deque, struct arc_task *task) {
  arc_spin_lock(&deque->lock);
  if (deque->count == deque->room) {
    size_t room = deque->room ? 2 * deque->room : 64;
    struct arc_task **tasks = arc_resize(NULL, room * sizeof *tasks);
    for (size_t i = 0; i < deque->count; i++) tasks[i] = deque->tasks[(deque->first + i) & (deque->room - 1)];
    free(deque->tasks);
    deque->tasks = tasks;
    deque->first = 0;
    deque->room = room;
  }
  deque->tasks[(deque->first + deque->count++) & (deque->room - 1)] = task;
  arc_spin_unlock(&deque->lock);
}

static struct arc_task *at(const struct arc_deque *deque, size_t i) {
  return deque->tasks[(deque->first + i) & (deque->room - 1)];
}

/* From the newest or the oldest end. */
static struct arc_task *take(struct arc_deque *deque, bool newest, const struct arc_task *below) {
  struct arc_task *found = NULL;
  arc_spin_lock(&deque->lock);
  size_t count = deque->count, mask = deque->room - 1;
  for (size_t n = 0; n < count && !found; n++) {
    size_t i = newest ? count - 1 - n : n;
    struct arc_task *task = at(deque, i);
    if (!is_below(task, below)) continue;
    found = task;
    if (newest) {
      for (; i + 1 < count; i++) deque->tasks[(deque->first + i) & mask] = at(deque, i + 1);
    } else {
      for (; i > 0; i--) deque->tasks[(deque->first + i) & mask] = at(deque, i - 1);
      deque->first = (deque->first + 1) & mask;
    }
    deque->count--;
  }
  arc_spin_unlock(&deque->lock);
  return found;
}

/* ---------------------------------------------------------------- by priority */

struct ranked {
  struct arc_task *task;
  uint64_t order;
};

static struct {
  arc_spin lock;
  struct ranked *heap; /* the first one ranks highest */
  size_t count, room;
  uint64_t order;
  atomic_size_t seen; /* copy of `count`, read without the lock */
} ranks;

/* Per task, for policies that measure paths. Guarded by the lock of `ranks`. */
struct arc_task_line {
  unsigned length; /* of the longest chain of tasks that wait for it */
  size_t place;    /* index in the heap plus 1; 0: not there */
  struct arc_task **before; /* its dependences; holds a reference to each */
  size_t count, room;
};

static unsigned length_of(const struct arc_task *task) { return task->line ? task->line->length : 0; }

static bool is_before(struct ranked a, struct ranked b) {
  if (length_of(a.task) != length_of(b.task)) return length_of(a.task) > length_of(b.task);
  if (a.task->priority != b.task->priority) return a.task->priority > b.task->priority;
  return a.order < b.order;
}

bool arc_task_ranks_above(const struct arc_task *later, const struct arc_task *earlier) {
  if (!arc_policy()->measures) return later->priority > earlier->priority;
  arc_spin_lock(&ranks.lock);
  bool above = is_before((struct ranked){(struct arc_task *)later, 1}, (struct ranked){(struct arc_task *)earlier, 0});
  arc_spin_unlock(&ranks.lock);
  return above;
}

static void put(size_t i, struct ranked ranked) {
  ranks.heap[i] = ranked;
  if (ranked.task->line) ranked.task->line->place = i + 1;
}

static void rise(size_t i) {
  struct ranked moved = ranks.heap[i];
  for (; i > 0 && is_before(moved, ranks.heap[(i - 1) / 2]); i = (i - 1) / 2)
    put(i, ranks.heap[(i - 1) / 2]);
  put(i, moved);
}

static void sink(size_t i) {
  struct ranked moved = ranks.heap[i];
  for (size_t child; (child = 2 * i + 1) < ranks.count; i = child) {
    if (child + 1 < ranks.count && is_before(ranks.heap[child + 1], ranks.heap[child])) child++;
    if (!is_before(ranks.heap[child], moved)) break;
    put(i, ranks.heap[child]);
  }
  put(i, moved);
}

static void rank(struct arc_thread *thread, struct arc_task *task) {
  (void)thread;
  arc_spin_lock(&ranks.lock);
  if (ranks.count == ranks.room) {
    ranks.room = ranks.room ? 2 * ranks.room : 64;
    ranks.heap = arc_resize(ranks.heap, ranks.room * sizeof *ranks.heap);
  }
  ranks.heap[ranks.count] = (struct ranked){task, ranks.order++};
  rise(ranks.count++);
  atomic_store(&ranks.seen, ranks.count);
  arc_spin_unlock(&ranks.lock);
}

static struct arc_task *highest(struct arc_thread *thread, const struct arc_task *below) {
  (void)thread;
  if (atomic_load(&ranks.seen) == 0) return NULL;
  struct arc_task *found = NULL;
  arc_spin_lock(&ranks.lock);
  size_t best = ranks.count;
  if (!below) best = 0;
  else
    for (size_t i = 0; i < ranks.count; i++)
      if (is_below(ranks.heap[i].task, below) && (best == ranks.count || is_before(ranks.heap[i], ranks.heap[best])))
        best = i;
  if (best < ranks.count) {
    found = ranks.heap[best].task;
    if (found->line) found->line->place = 0;
    ranks.heap[best] = ranks.heap[--ranks.count];
    if (best < ranks.count) {
      sink(best);
      rise(best);
    }
    atomic_store(&ranks.seen, ranks.count);
  }
  arc_spin_unlock(&ranks.lock);
  return found;
}

/* ---------------------------------------------------------------- paths */

/* Updates bottom levels as in K. Chronaki et al., "Criticality-aware dynamic task scheduling", ICS 2015. */
static void lengthen(struct arc_task *task, unsigned length) {
  struct arc_task_line *line = task->line;
  if (!line || line->length >= length) return;
  line->length = length;
  if (line->place) rise(line->place - 1);
  for (size_t i = 0; i < line->count; i++) lengthen(line->before[i], length + 1);
}

void arc_line_waits(struct arc_task *task, struct arc_task *other) {
  atomic_fetch_add_explicit(&other->references, 1, memory_order_relaxed);
  arc_spin_lock(&ranks.lock);
  if (!task->line) task->line = arc_allocate(sizeof *task->line);
  struct arc_task_line *line = task->line;
  if (line->count == line->room) {
    line->room = 2 * line->room + 4;
    line->before = arc_resize(line->before, line->room * sizeof(struct arc_task *));
  }
  line->before[line->count++] = other;
  arc_spin_unlock(&ranks.lock);
}

void arc_line_created(struct arc_task *task) {
  arc_spin_lock(&ranks.lock);
  if (!task->line) task->line = arc_allocate(sizeof *task->line);
  lengthen(task, 1);
  arc_spin_unlock(&ranks.lock);
}

void arc_line_ended(struct arc_task *task) {
  arc_spin_lock(&ranks.lock);
  struct arc_task_line *line = task->line;
  task->line = NULL;
  arc_spin_unlock(&ranks.lock);
  if (!line) return;
  for (size_t i = 0; i < line->count; i++) arc_task_release_reference(line->before[i]);
  free(line->before);
  free(line);
}

/* ---------------------------------------------------------------- policies */

static void keep(struct arc_thread *thread, struct arc_task *task) {
  if (task->priority > 0) rank(thread, task);
  else push(&thread->ready, task);
}

static struct arc_task *nearest(struct arc_thread *thread, const struct arc_task *below) {
  struct arc_task *task = highest(thread, below);
  if (!task) task = take(&thread->ready, true, below);
  unsigned count = arc_thread_count();
  unsigned start = thread->random = thread->random * 1103515245u + 12345u;
  for (unsigned n = 0; n < count && !task; n++) {
    struct arc_thread *other = arc_thread_at((start / 65536 + n) % count);
    /* NULL while the thread is being started. */
    if (other && other != thread) task = take(&other->ready, false, below);
  }
  return task;
}

static struct arc_deque line;

static void queue_up(struct arc_thread *thread, struct arc_task *task) {
  (void)thread;
  push(&line, task);
}

static struct arc_task *first_come(struct arc_thread *thread, const struct arc_task *below) {
  (void)thread;
  return take(&line, false, below);
}

static const struct arc_policy policies[] = {
    {"locality", keep, nearest, false, false, true},
    {"breadth-first", queue_up, first_come, false, false, false},
    {"priority", rank, highest, false, false, false},
    {"critical-path", rank, highest, true, false, false},
    {"versioning", keep, nearest, false, true, false},
};

static const struct arc_policy *chosen;

static void choose(void) {
  const char *name = getenv("ARC_TASK_POLICY");
  chosen = &policies[0];
  if (!name || !*name) return;
  for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
    if (strcmp(policies[i].name, name) == 0) {
      chosen = &policies[i];
      return;
    }
  arc_fail(&(arc_site){"", 0, "task"}, "unknown-policy", "set ARC_TASK_POLICY to locality, breadth-first, priority, critical-path or versioning",
           "ARC_TASK_POLICY is '%s', which is no policy", name);
}

const struct arc_policy *arc_policy(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose);
  return chosen;
}
