/* exclusive.c: tasks with commutative accesses. A task locks all its memory at once, so that none can deadlock. */
#include "tasks/order/exclusive.h"
#include "tasks/run.h"

static struct {
  arc_spin lock;
  struct arc_task *running;
  struct arc_task *waiting, **last; /* first come, first served */
} tasks = {.last = &tasks.waiting};

static bool is_exclusive(const struct arc_task_part *part) { return part->orders && part->mode == ARC_TASK_COMMUTATIVE; }

static bool clash(const struct arc_task *a, const struct arc_task *b) {
  if (a->parent != b->parent) return false;
  for (unsigned i = 0; i < a->part_count; i++)
    for (unsigned j = 0; is_exclusive(&a->parts[i]) && j < b->part_count; j++)
      if (is_exclusive(&b->parts[j]) && arc_boxes_meet(&a->parts[i].box, &b->parts[j].box)) return true;
  return false;
}

static bool may_run(const struct arc_task *task) {
  for (const struct arc_task *other = tasks.running; other; other = other->next)
    if (clash(task, other)) return false;
  return true;
}

static void run(struct arc_task *task) {
  task->next = tasks.running;
  tasks.running = task;
}

bool arc_exclusive_enter(struct arc_task *task) {
  arc_spin_lock(&tasks.lock);
  bool may = may_run(task);
  if (may) {
    run(task);
  } else {
    task->next = NULL;
    *tasks.last = task;
    tasks.last = &task->next;
  }
  arc_spin_unlock(&tasks.lock);
  return may;
}

void arc_exclusive_leave(struct arc_thread *thread, struct arc_task *task) {
  arc_spin_lock(&tasks.lock);
  struct arc_task **at = &tasks.running;
  while (*at != task) at = &(*at)->next;
  *at = task->next;
  /* Starts them one by one without the lock, and searches again after each: starting a task may change the lists. */
  for (;;) {
    for (at = &tasks.waiting; *at && !may_run(*at);) at = &(*at)->next;
    struct arc_task *next = *at;
    if (!next) break;
    *at = next->next;
    if (!*at) tasks.last = at;
    run(next);
    arc_spin_unlock(&tasks.lock);
    arc_task_start(thread, next);
    arc_spin_lock(&tasks.lock);
  }
  arc_spin_unlock(&tasks.lock);
}
