/* task.h: a task while it lives, and what the parts of the task runtime know of it. */
#ifndef ARC_TASKS_TASK_H
#define ARC_TASKS_TASK_H
#include "tasks/order/box.h"
#include <stdatomic.h>

struct arc_domain;

/* An access of a task, in the task's memory. */
struct arc_task_part {
  struct arc_box box;
  uint8_t mode, operator;
  bool orders, copies; /* other tasks, and memory of devices */
  const char *name;    /* as the program writes it */
};

/* That a task waits for another: in the memory of the one that waits, in the list of the other. */
struct arc_task_edge {
  struct arc_task_edge *next;
  struct arc_task *waits;
  atomic_bool told; /* that the other one is queued on a device, or complete */
};

struct arc_station;

struct arc_task {
  const struct arc_task_type *type;
  struct arc_task *parent;
  struct arc_task *next; /* in a queue */
  /* What it waits for: tasks that are not complete, and 1 while it is being created. */
  atomic_int pending;
  /* The same without those that are queued on a device; only of tasks that may follow them there. */
  atomic_int unqueued;
  _Atomic(struct arc_station *) queued_on; /* where it is queued; NULL: nowhere */
  _Atomic(struct arc_station *) behind;    /* where all those are queued that are; see run.c */
  bool follows; /* it may be queued behind tasks that are not complete */
  bool early;   /* it was */
  atomic_int ready; /* for a thread that waits for this task to be ready: see ARC_TASK_WAITED */
  /* 1 while its body has not ended, and its tasks that are not complete. */
  atomic_int live;
  /* 1 while it is not complete, and the places of its parent's domain that know it. */
  atomic_int references;
  int priority;
  unsigned flags;
  /* Those that wait for it; arc_task_closed once it is complete. */
  _Atomic(struct arc_task_edge *) successors;
  struct arc_task_edge *edges;
  unsigned edge_count, edge_room;
  struct arc_task_edge *more_edges; /* blocks of them, each with a link in front */
  unsigned part_count;
  struct arc_task_part *parts;
  void *arguments;
  size_t argument_size;
  /* The last task of the same parent that found out that it must wait for this one. */
  uint64_t marked_by;
  uint64_t number; /* among its parent's, from 1 */
  uint64_t created; /* how many tasks it has created */
  struct arc_domain *domain; /* of the tasks that it creates; NULL before the first one */
  arc_task_group *created_in, *group;
  struct arc_task_line *line;   /* schedule.c's; NULL with policies that look at no path */
  struct arc_suspect *suspect;  /* suspects.h's; NULL without that */
  struct arc_task_story *story; /* story.h's; NULL without a trace */
};

/* Beyond those of arctask.h. */
#define ARC_TASK_WAITED 0x100u /* the thread that creates it waits until it is ready: it goes into no queue */
#define ARC_TASK_EXCLUSIVE 0x200u /* has commutative accesses */

/* `task` must not start before `other` is complete. */
void arc_task_after(struct arc_task *task, struct arc_task *other);
void arc_task_release_reference(struct arc_task *);
bool arc_task_is_complete(struct arc_task *);

#endif
