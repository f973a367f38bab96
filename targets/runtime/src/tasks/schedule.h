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
  bool learns; /* versions of tasks are chosen by the time that they took before */
};

/* The one that ARC_TASK_POLICY names; else `locality`. */
const struct arc_policy *arc_policy(void);

#endif
