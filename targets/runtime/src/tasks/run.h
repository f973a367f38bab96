/* run.h: a task from ready to complete. */
#ifndef ARC_TASKS_RUN_H
#define ARC_TASKS_RUN_H
#include "tasks/thread.h"

/* All that it waits for is complete. */
void arc_task_ready(struct arc_thread *, struct arc_task *);
/* The same, and no commutative access keeps it from running. */
void arc_task_start(struct arc_thread *, struct arc_task *);
/* One thing less that it waits for. */
void arc_task_less(struct arc_thread *, struct arc_task *);
/* It is queued on the device: those that wait for it may be, behind it. */
void arc_task_issued(struct arc_thread *, struct arc_task *, struct arc_station *);
/* What was queued is done; it may be gone afterwards. */
void arc_task_retired(struct arc_thread *, struct arc_task *);
/* All that it waits for is known; the caller still keeps it from being ready. */
void arc_task_created(struct arc_task *);
/* Its body, on this thread or a device's; it may be gone afterwards. */
void arc_task_run(struct arc_thread *, struct arc_task *);
/* Its body has ended; it may be gone afterwards. */
void arc_task_ended(struct arc_thread *, struct arc_task *);

#endif
