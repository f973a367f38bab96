/* run.h: a task from ready to complete. */
#ifndef ARC_TASKS_RUN_H
#define ARC_TASKS_RUN_H
#include "tasks/thread.h"

/* All dependences are complete. */
void arc_task_ready(struct arc_thread *, struct arc_task *);
/* The same, and no commutative access blocks it. */
void arc_task_start(struct arc_thread *, struct arc_task *);
/* One dependence less. */
void arc_task_less(struct arc_thread *, struct arc_task *);
/* The task is queued on the device, so its successors may be queued behind it. */
void arc_task_issued(struct arc_thread *, struct arc_task *, struct arc_station *);
/* The task's queued work is done. May free the task. */
void arc_task_retired(struct arc_thread *, struct arc_task *);
/* All dependences are known; the caller still holds one count of `pending`. */
void arc_task_created(struct arc_task *);
/* Runs the body on this thread or a device. May free the task. */
void arc_task_run(struct arc_thread *, struct arc_task *);
/* The body has ended. May free the task. */
void arc_task_ended(struct arc_thread *, struct arc_task *);

#endif
