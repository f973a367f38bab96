/* create.c: the entry points that translated code calls to create tasks and wait for them. */
#define _POSIX_C_SOURCE 200809L
#include "tasks/devices/copies.h"
#include "tasks/order/domain.h"
#include "tasks/run.h"
#include "tasks/schedule.h"
#include "tasks/versions.h"
#include "watch/story.h"
#include "watch/suspects.h"
#include "report/error.h"
#include <pthread.h>
#include <string.h>

/* Above this many live tasks of one parent, the creating thread runs some before it creates more. */
enum { MANY = 1 << 11 };

enum { ALIGNMENT = 16 };

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

/* Fills `parts` and returns their number; the row descriptions of their boxes go into `rows`. */
static unsigned read_accesses(size_t count, const arc_task_access *accesses, struct arc_task_part *parts,
                              arc_task_rows *rows) {
  unsigned used = 0;
  for (size_t i = 0; i < count; i++) {
    if (!arc_box_of(&accesses[i], rows, &parts[used].box)) continue;
    parts[used].mode = accesses[i].mode & ~(ARC_TASK_ONLY_ORDER | ARC_TASK_ONLY_COPY);
    parts[used].orders = !(accesses[i].mode & ARC_TASK_ONLY_COPY);
    parts[used].copies = !(accesses[i].mode & ARC_TASK_ONLY_ORDER);
    parts[used].name = accesses[i].name;
    parts[used].operator = accesses[i].operator;
    rows += parts[used++].box.dims;
  }
  return used;
}

static size_t rows_of(size_t count, const arc_task_access *accesses) {
  size_t rows = 0;
  for (size_t i = 0; i < count; i++) rows += accesses[i].dims;
  return rows;
}

static struct arc_task *make(struct arc_thread *thread, const arc_task_type *type, const void *arguments, size_t size,
                             size_t count, const arc_task_access *accesses) {
  size_t parts_at = aligned(sizeof(struct arc_task));
  size_t rows_at = parts_at + count * sizeof(struct arc_task_part);
  size_t edges_at = rows_at + rows_of(count, accesses) * sizeof(arc_task_rows);
  size_t edges = count ? count + 2 : 0;
  size_t arguments_at = aligned(edges_at + edges * sizeof(struct arc_task_edge));
  char *memory = arc_pool_take(&thread->pool, arguments_at + size);
  struct arc_task *task = (struct arc_task *)memory;
  memset(task, 0, sizeof *task);
  task->type = type;
  task->parts = (struct arc_task_part *)(memory + parts_at);
  task->part_count = read_accesses(count, accesses, task->parts, (arc_task_rows *)(memory + rows_at));
  task->edges = (struct arc_task_edge *)(memory + edges_at);
  task->edge_room = (unsigned)edges;
  task->arguments = memory + arguments_at;
  task->argument_size = size;
  if (size) memcpy(task->arguments, arguments, size);
  return task;
}

static bool has_kernel(const arc_task_type *type) {
  for (size_t i = 0; i < type->others; i++)
    if (type->list[i].kernel) return true;
  return type->own.kernel;
}

/* Several devices may not update copies of the same memory at once: the copies could not be merged. */
static void take_turns(struct arc_task *task) {
  for (unsigned i = 0; i < task->part_count; i++)
    if (task->parts[i].mode == ARC_TASK_CONCURRENT) task->parts[i].mode = ARC_TASK_COMMUTATIVE;
}

/* Whether the task may be queued on a device behind unfinished tasks; not if it excludes other tasks. */
static bool follows(const struct arc_task *task) {
  if ((task->flags & ARC_TASK_WAITED) || !arc_task_may_follow(task)) return false;
  for (unsigned i = 0; i < task->part_count; i++)
    if (task->parts[i].orders && task->parts[i].mode == ARC_TASK_COMMUTATIVE) return false;
  return true;
}

static struct arc_domain *domain_of(struct arc_task *parent) {
  if (!parent->domain) parent->domain = arc_domain_open();
  return parent->domain;
}

static bool is_ready(void *task) { return atomic_load(&((struct arc_task *)task)->ready) != 0; }

static void help(struct arc_thread *thread, struct arc_task *parent) {
  while (atomic_load_explicit(&parent->live, memory_order_relaxed) > MANY / 2) {
    struct arc_task *task = arc_thread_look(thread, parent);
    if (!task) return;
    arc_thread_run(thread, task);
  }
}

/* ---------------------------------------------------------------- undeferred */

/* This many tasks per thread keep all threads busy, even while one creates no more. */
enum { ENOUGH = 64 };

/* Limit of task bodies nested inside creations: recursive creation would otherwise overflow the stack. */
enum { DEEPEST = 64 };

/*
 * Whether deferring the task would gain nothing: it has no dependences, and no other thread could run it or all have
 * enough tasks. A task that is its parent's only live one depends on nothing: earlier ones are complete.
 */
static bool runs_at_once(const struct arc_thread *thread, const arc_task_type *type, size_t accesses, unsigned flags,
                         int priority) {
  if (!thread->at_once || priority != 0 || thread->depth >= DEEPEST) return false;
  int live = atomic_load_explicit(&thread->current->live, memory_order_acquire);
  if (accesses > 0 && live > 1) return false;
  if (type->own.kernel || type->own.device || type->others > 0 || arc_copies_used()) return false;
  if (flags & ARC_TASK_UNDEFERRED) return true;
  unsigned threads = arc_thread_count();
  return threads == 1 || live > (int)(ENOUGH * threads);
}

static bool is_alone(void *task) { return atomic_load(&((struct arc_task *)task)->live) == 1; }

static void run_at_once(struct arc_thread *thread, const arc_task_type *type, void *arguments, unsigned flags) {
  struct arc_task *parent = thread->current;
  /* Only the fields that child tasks read: the task enters no queue and has no waiters, and setting all costs time. */
  struct arc_task task;
  task.type = type;
  task.parent = parent;
  task.flags = flags & ARC_TASK_FINAL;
  task.created = 0;
  task.domain = NULL;
  task.created_in = task.group = parent->group;
  task.suspect = NULL;
  task.story = NULL;
  atomic_init(&task.live, 1);
  thread->current = &task;
  thread->depth++;
  type->own.run(arguments);
  thread->depth--;
  thread->current = parent;
  if (!is_alone(&task)) arc_thread_run_until(thread, is_alone, &task, &task);
  if (task.domain) arc_domain_close(task.domain);
}

/* ---------------------------------------------------------------- tasks */

void arc_task_create(const arc_task_type *type, const void *arguments, size_t size, size_t accesses,
                     const arc_task_access *list, unsigned flags, int priority) {
  struct arc_thread *thread = arc_thread_here();
  struct arc_task *parent = thread->current;
  if (parent->flags & ARC_TASK_FINAL) {
    if (!type->own.kernel && type->others == 0 && !arc_copies_used() && !arc_suspects()) {
      type->own.run((void *)arguments);
      return;
    }
    flags |= ARC_TASK_UNDEFERRED | ARC_TASK_FINAL;
  }
  if (runs_at_once(thread, type, accesses, flags, priority)) {
    run_at_once(thread, type, (void *)arguments, flags);
    return;
  }
  struct arc_task *task = make(thread, type, arguments, size, accesses, list);
  if (has_kernel(type)) take_turns(task);
  /* Checked tasks (suspects.h) run one by one, in program order. */
  bool waited = flags & ARC_TASK_UNDEFERRED;
  if (arc_suspects()) {
    flags |= ARC_TASK_UNDEFERRED;
    if (!parent->suspect) parent->suspect = arc_suspect_open(NULL, parent, false);
    task->suspect = arc_suspect_open(parent->suspect, task, parent->flags & ARC_TASK_FINAL);
  }
  struct arc_suspect *suspect = task->suspect;
  task->parent = parent;
  task->number = ++parent->created;
  task->priority = priority;
  task->flags = (flags & ARC_TASK_FINAL) | (flags & ARC_TASK_UNDEFERRED ? ARC_TASK_WAITED : 0);
  task->created_in = task->group = parent->group;
  arc_story_open(task);
  atomic_init(&task->pending, 1);
  atomic_init(&task->unqueued, 1);
  atomic_init(&task->live, 1);
  atomic_init(&task->references, 1);
  task->follows = follows(task);
  atomic_fetch_add_explicit(&parent->live, 1, memory_order_relaxed);
  if (task->group) __atomic_add_fetch(&task->group->live, 1, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < task->part_count; i++) {
    if (!task->parts[i].orders) continue;
    if (task->parts[i].mode == ARC_TASK_COMMUTATIVE) task->flags |= ARC_TASK_EXCLUSIVE;
    arc_domain_access(domain_of(parent), task, &task->parts[i], true);
  }
  if (arc_policy()->measures) arc_line_created(task);
  arc_task_created(task);
  arc_task_less(thread, task);
  if (flags & ARC_TASK_UNDEFERRED) {
    arc_thread_run_until(thread, is_ready, task, parent);
    arc_task_run(thread, task);
    if (suspect) arc_suspect_end(suspect, waited);
  } else if (atomic_load_explicit(&parent->live, memory_order_relaxed) > MANY) {
    help(thread, parent);
  }
}

/* ---------------------------------------------------------------- waits */

void arc_task_wait(const arc_site *site) {
  arc_copies_wait_begin();
  arc_task_wait_noflush(site);
  arc_copies_wait_end(site);
}

void arc_task_wait_noflush(const arc_site *site) {
  (void)site;
  struct arc_thread *thread = arc_thread_here();
  struct arc_task *current = thread->current;
  arc_thread_run_until(thread, is_alone, current, current);
  arc_suspect_wait(current->suspect, NULL);
  if (current->domain) arc_domain_forget(current->domain);
}

void arc_task_wait_on(const arc_site *site, size_t accesses, const arc_task_access *list) {
  struct arc_thread *thread = arc_thread_here();
  struct arc_task *current = thread->current;
  if (!current->domain) return;
  const arc_task_type type = {.site = *site};
  struct arc_task *wait = make(thread, &type, NULL, 0, accesses, list);
  wait->number = ++current->created;
  wait->flags = ARC_TASK_WAITED;
  atomic_init(&wait->pending, 1);
  atomic_init(&wait->references, 1);
  for (unsigned i = 0; i < wait->part_count; i++) {
    if (wait->parts[i].mode == ARC_TASK_COMMUTATIVE) wait->parts[i].mode = ARC_TASK_INOUT;
    arc_domain_access(current->domain, wait, &wait->parts[i], false);
  }
  arc_task_less(thread, wait);
  arc_thread_run_until(thread, is_ready, wait, current);
  for (unsigned i = 0; i < wait->part_count; i++) arc_suspect_wait(current->suspect, &wait->parts[i]);
  if (wait->line) arc_line_ended(wait);
  for (unsigned i = 0; i < wait->part_count && arc_copies_used(); i++) arc_copies_to_host(site, &wait->parts[i]);
  arc_task_release_reference(wait);
}

static bool is_over(void *group) { return __atomic_load_n(&((arc_task_group *)group)->live, __ATOMIC_SEQ_CST) == 0; }

void arc_task_group_begin(arc_task_group *group) {
  struct arc_task *current = arc_thread_here()->current;
  group->live = 0;
  group->outer = current->group;
  current->group = group;
}

void arc_task_group_end(const arc_site *site, arc_task_group *group) {
  struct arc_thread *thread = arc_thread_here();
  arc_copies_wait_begin();
  arc_thread_run_until(thread, is_over, group, thread->current);
  thread->current->group = group->outer;
  arc_suspect_wait(thread->current->suspect, NULL);
  arc_copies_wait_end(site);
}

void arc_task_yield(void) {
  struct arc_thread *thread = arc_thread_here();
  struct arc_task *task = arc_thread_look(thread, thread->current);
  if (task) arc_thread_run(thread, task);
}

int arc_task_in_final(void) { return (arc_thread_here()->current->flags & ARC_TASK_FINAL) != 0; }

/* ---------------------------------------------------------------- reductions */

/* Recursive: a combiner may contain another `critical`. */
static pthread_mutex_t combining;

static void make_combining(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&combining, &recursive);
  pthread_mutexattr_destroy(&recursive);
}

void arc_task_combine_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_combining);
  pthread_mutex_lock(&combining);
  arc_suspect_protected(1);
}

void arc_task_combine_end(void) {
  arc_suspect_protected(-1);
  pthread_mutex_unlock(&combining);
}
