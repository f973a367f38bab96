/* schedule.h: which ready task runs next. */
#ifndef ARC_SCHEDULE_H
#define ARC_SCHEDULE_H
#include "tasks/thread.h"

struct arc_policy {
  const char *name; /* its name in ARC_TASK_POLICY */
  /* A task has become ready on a thread. */
  void (*add)(struct arc_thread *, struct arc_task *);
  /* The next task for a thread; NULL: none. `below`: only descendants of this task, unless NULL. */
  struct arc_task *(*next)(struct arc_thread *, const struct arc_task *below);
  bool measures; /* it measures paths of dependent tasks: the three functions below are called */
  bool learns; /* it chooses versions of tasks by measured times */
  bool at_once; /* it runs tasks in creation order unless priorities differ: they may run when created */
};

/* Whether the task that became ready later is to run first. */
bool arc_task_ranks_above(const struct arc_task *later, const struct arc_task *earlier);

/* `task` depends on `other`. Called by the thread that creates `task`. */
void arc_line_waits(struct arc_task *task, struct arc_task *other);
/* All dependences of the task are known. */
void arc_line_created(struct arc_task *);
/* The task is complete. */
void arc_line_ended(struct arc_task *);

/* The policy named by ARC_TASK_POLICY; default: `locality`. */
const struct arc_policy *arc_policy(void);

#endif
