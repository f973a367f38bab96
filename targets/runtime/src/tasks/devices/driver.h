/*
 * driver.h: the threads that run kernels: two for each device. While the kernel of one runs, the other brings the next
 * task's data, and a task's end is told to the graph as soon as its kernel has ended.
 */
#ifndef ARC_DRIVER_H
#define ARC_DRIVER_H
#include "tasks/versions.h"

/* The task, which is ready, runs as `way` says, of which the station is set; and then it has ended. */
void arc_driver_give(struct arc_task *, struct arc_way way);
/* All tasks have ended; returns when the threads have. */
void arc_drivers_end(void);

#endif
