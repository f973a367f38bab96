/* run.c: a task from ready to complete, and its dependences. */
#include "tasks/run.h"
#include "tasks/order/domain.h"
#include "tasks/order/exclusive.h"
#include "tasks/schedule.h"
#include "watch/story.h"
#include "tasks/versions.h"

/* Marks the successor list of a complete task. */
static struct arc_task_edge closed;

static void tell(struct arc_task_edge *, struct arc_station *, int held);

bool arc_task_is_complete(struct arc_task *task) {
  return atomic_load_explicit(&task->successors, memory_order_acquire) == &closed;
}

/* ---------------------------------------------------------------- tasks queued behind their dependences */

/* Value of `behind` if the dependences are queued on several devices. */
static struct arc_station *const several = (struct arc_station *)&closed;

/*
 * All dependences of the task are complete or queued on one device, so it may be queued there too. It is complete when its
 * own work is done and all of them are. `held`: the caller's share of `pending`.
 */
static void start_early(struct arc_task *task, int held) {
  struct arc_station *station = atomic_load(&task->behind);
  if (!station || station == several || !arc_task_can_follow(task, station)) return;
  int pending = atomic_load(&task->pending);
  do {
    if (pending <= held) return; /* all dependences are complete: the task becomes ready instead */
  } while (!atomic_compare_exchange_weak(&task->pending, &pending, pending + 1));
  task->early = true;
  arc_task_follow(task, station);
}

/* The edge's dependence is queued on `station` or, if NULL, complete. Queues the waiting task if it was the last one. */
static void tell(struct arc_task_edge *edge, struct arc_station *station, int held) {
  if (atomic_load_explicit(&edge->told, memory_order_relaxed) || atomic_exchange(&edge->told, true)) return;
  struct arc_task *task = edge->waits;
  struct arc_station *none = NULL;
  if (station && !atomic_compare_exchange_strong(&task->behind, &none, station) && none != station)
    atomic_store(&task->behind, several);
  if (atomic_fetch_sub(&task->unqueued, 1) == 1) start_early(task, held);
}

void arc_task_created(struct arc_task *task) {
  if (task->follows && atomic_fetch_sub(&task->unqueued, 1) == 1) start_early(task, 1);
}

void arc_task_issued(struct arc_thread *thread, struct arc_task *task, struct arc_station *station) {
  (void)thread;
  atomic_store(&task->queued_on, station);
  /* The edges live as long as their waiting tasks, which wait for this one. */
  for (struct arc_task_edge *edge = atomic_load(&task->successors); edge; edge = edge->next) tell(edge, station, 0);
}

void arc_task_retired(struct arc_thread *thread, struct arc_task *task) {
  if (task->early) arc_task_less(thread, task);
  else arc_task_ended(thread, task);
}

/* ---------------------------------------------------------------- */

/* Called only by the thread that creates `task`. */
void arc_task_after(struct arc_task *task, struct arc_task *other) {
  if (other->marked_by == task->number) return;
  other->marked_by = task->number;
  struct arc_task_edge *edge;
  if (task->edge_count == task->edge_room) {
    /* Edges must not move, so they are allocated in blocks of doubling size, each linked to the one before. */
    unsigned room = 2 * task->edge_room + 8;
    struct arc_task_edge *more = arc_pool_take(&arc_thread_here()->pool, (room + 1) * sizeof *more);
    more[0].next = task->more_edges;
    task->more_edges = more;
    task->edges = more + 1;
    task->edge_room = room;
    task->edge_count = 0;
  }
  edge = &task->edges[task->edge_count];
  edge->waits = task;
  atomic_init(&edge->told, !task->follows);
  atomic_fetch_add_explicit(&task->pending, 1, memory_order_relaxed);
  if (task->follows) atomic_fetch_add_explicit(&task->unqueued, 1, memory_order_relaxed);
  edge->next = atomic_load_explicit(&other->successors, memory_order_acquire);
  do {
    if (edge->next == &closed) {
      atomic_fetch_sub_explicit(&task->pending, 1, memory_order_relaxed);
      if (task->follows) atomic_fetch_sub_explicit(&task->unqueued, 1, memory_order_relaxed);
      return;
    }
  } while (!atomic_compare_exchange_weak_explicit(&other->successors, &edge->next, edge, memory_order_seq_cst,
                                                  memory_order_acquire));
  task->edge_count++;
  /* arc_task_issued sets `queued_on` before it reads the list: at least one of the two threads sees the other's change. */
  struct arc_station *station = task->follows ? atomic_load(&other->queued_on) : NULL;
  if (station) tell(edge, station, 1);
  if (arc_policy()->measures) arc_line_waits(task, other);
}

void arc_task_release_reference(struct arc_task *task) {
  if (atomic_fetch_sub_explicit(&task->references, 1, memory_order_acq_rel) != 1) return;
  struct arc_pool *pool = &arc_thread_here()->pool;
  for (struct arc_task_edge *more = task->more_edges; more;) {
    struct arc_task_edge *next = more[0].next;
    arc_pool_give(pool, more);
    more = next;
  }
  if (task->domain) arc_domain_close(task->domain);
  arc_story_close(task);
  arc_pool_give(pool, task);
}

void arc_task_ready(struct arc_thread *thread, struct arc_task *task) {
  if ((task->flags & ARC_TASK_EXCLUSIVE) && !arc_exclusive_enter(task)) return;
  arc_task_start(thread, task);
}

void arc_task_start(struct arc_thread *thread, struct arc_task *task) {
  if (task->flags & ARC_TASK_WAITED) {
    atomic_store(&task->ready, 1);
    arc_threads_tell();
    return;
  }
  if (arc_task_hand_over(task)) return;
  arc_policy()->add(thread, task);
  arc_threads_wake();
}

void arc_task_less(struct arc_thread *thread, struct arc_task *task) {
  if (atomic_fetch_sub_explicit(&task->pending, 1, memory_order_acq_rel) != 1) return;
  if (task->early) arc_task_ended(thread, task);
  else arc_task_ready(thread, task);
}

static void complete(struct arc_thread *thread, struct arc_task *task) {
  if (task->flags & ARC_TASK_EXCLUSIVE) arc_exclusive_leave(thread, task);
  if (task->line) arc_line_ended(task);
  struct arc_task_edge *edge = atomic_exchange_explicit(&task->successors, &closed, memory_order_acq_rel);
  while (edge) {
    /* The edge may be freed once its task has run. */
    struct arc_task_edge *next = edge->next;
    arc_story_after(task, edge->waits);
    tell(edge, NULL, 1);
    arc_task_less(thread, edge->waits);
    edge = next;
  }
  arc_task_group *group = task->created_in;
  arc_task_release_reference(task);
  if (group && __atomic_sub_fetch(&group->live, 1, __ATOMIC_SEQ_CST) == 0) arc_threads_tell();
}

/* The parent may be complete now as well, and so on upwards. */
void arc_task_ended(struct arc_thread *thread, struct arc_task *task) {
  arc_story_ended(task);
  for (int live; (live = atomic_fetch_sub(&task->live, 1)) <= 2;) {
    if (live == 2) {
      arc_threads_tell();
      return;
    }
    struct arc_task *parent = task->parent;
    complete(thread, task);
    task = parent;
  }
}

void arc_task_run(struct arc_thread *thread, struct arc_task *task) {
  struct arc_task *outer = thread->current;
  thread->current = task;
  bool ended = arc_task_perform(thread, task);
  thread->current = outer;
  if (ended) arc_task_ended(thread, task);
}
