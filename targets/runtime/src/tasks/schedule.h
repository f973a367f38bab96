/* schedule.h: which ready task runs next. */
#ifndef ARC_SCHEDULE_H
#define ARC_SCHEDULE_H
#include "tasks/thread.h"

struct arc_policy {
  const char *name; /* as ARC_TASK_POLICY says it */
  /* A task has become ready on a thread. */
  void (*add)(struct arc_thread *, struct arc_task *);
  /* The next one for a thread; NULL: there is none. `below`: only tasks that it created, directly or not, or NULL. */
  struct arc_task *(*next)(struct arc_thread *, const struct arc_task *below);
  bool measures; /* paths of tasks that wait for each other: the three functions below are called */
  bool learns; /* versions of tasks are chosen by the time that they took before */
  bool at_once; /* its order is that of creation where nothing asks for another one: tasks may run where they are created */
};

/* Whether a task that became ready later comes first all the same. */
bool arc_task_ranks_above(const struct arc_task *later, const struct arc_task *earlier);

/* `task` waits for `other`. By the thread that creates it, as the next one. */
void arc_line_waits(struct arc_task *task, struct arc_task *other);
/* All that it waits for is known. */
void arc_line_created(struct arc_task *);
/* It is complete. */
void arc_line_ended(struct arc_task *);

/* The one that ARC_TASK_POLICY names; else `locality`. */
const struct arc_policy *arc_policy(void);

#endif
