/* versions.h: which version of a task's body runs, and where. */
#ifndef ARC_TASKS_VERSIONS_H
#define ARC_TASKS_VERSIONS_H
#include "tasks/thread.h"

/* The task's body, on the calling thread or on a device; returns when it has ended. */
void arc_task_perform(const struct arc_thread *, const struct arc_task *);

#endif
