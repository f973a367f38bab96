/* task.h: a task, with the state that each part of the task runtime keeps for it. */
#ifndef ARC_TASKS_TASK_H
#define ARC_TASKS_TASK_H
#include "tasks/order/box.h"
#include <stdatomic.h>

struct arc_domain;

/* An access, stored in the task's memory. */
struct arc_task_part {
  struct arc_box box;
  uint8_t mode, operator;
  bool orders, copies; /* whether it orders tasks, and whether devices copy its memory */
  const char *name;    /* as the program writes it */
};

/* A dependence: stored in the waiting task, linked in the other's list. */
struct arc_task_edge {
  struct arc_task_edge *next;
  struct arc_task *waits;
  atomic_bool told; /* the other task is known to be queued on a device or complete */
};

struct arc_station;

struct arc_task {
  const struct arc_task_type *type;
  struct arc_task *parent;
  struct arc_task *next; /* in a queue */
  /* Unfinished dependences, plus 1 during creation. */
  atomic_int pending;
  /* The same without dependences queued on a device; only for tasks that may be queued behind them. */
  atomic_int unqueued;
  _Atomic(struct arc_station *) queued_on; /* the device it is queued on, or NULL */
  _Atomic(struct arc_station *) behind;    /* the device on which its queued dependences are; see run.c */
  bool follows; /* it may be queued behind unfinished tasks */
  bool early;   /* it was queued so */
  atomic_int ready; /* set when ready, for the thread that waits for that: see ARC_TASK_WAITED */
  /* Unfinished child tasks, plus 1 until the body has ended. */
  atomic_int live;
  /* References: 1 until complete, plus the entries in its parent's domain. */
  atomic_int references;
  int priority;
  unsigned flags;
  /* Tasks that depend on it; arc_task_closed once it is complete. */
  _Atomic(struct arc_task_edge *) successors;
  struct arc_task_edge *edges;
  unsigned edge_count, edge_room;
  struct arc_task_edge *more_edges; /* further blocks of edges, linked through the first edge of each */
  unsigned part_count;
  struct arc_task_part *parts;
  void *arguments;
  size_t argument_size;
  /* The last task of the same parent found to depend on this one. */
  uint64_t marked_by;
  uint64_t number; /* among its parent's tasks, from 1 */
  uint64_t created; /* number of tasks created by it */
  struct arc_domain *domain; /* for its child tasks; NULL before the first one */
  arc_task_group *created_in, *group;
  struct arc_task_line *line;   /* used by schedule.c; NULL with policies that measure no paths */
  struct arc_suspect *suspect;  /* used by suspects.h; NULL without checks */
  struct arc_task_story *story; /* used by story.h; NULL without a trace */
};

/* Flags in addition to those of arctask.h. */
#define ARC_TASK_WAITED 0x100u /* the creating thread waits until it is ready; it enters no queue */
#define ARC_TASK_EXCLUSIVE 0x200u /* has commutative accesses */

/* `task` must not start before `other` is complete. */
void arc_task_after(struct arc_task *task, struct arc_task *other);
void arc_task_release_reference(struct arc_task *);
bool arc_task_is_complete(struct arc_task *);

#endif
