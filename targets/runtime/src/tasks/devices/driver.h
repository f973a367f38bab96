/*
 * driver.h: the threads that run kernels, three for each device. One queues tasks in two lanes in turn, without waiting for
 * the device: the next task's data comes while a kernel runs. The others wait for what is queued in a lane, and tell the
 * graph a task's end.
 */
#ifndef ARC_DRIVER_H
#define ARC_DRIVER_H
#include "tasks/versions.h"

/* The task, which is ready, runs as `way` says, of which the station is set; and then it has ended. */
void arc_driver_give(struct arc_task *, struct arc_way way);
/* All tasks have ended; returns when the threads have. */
void arc_drivers_end(void);

#endif
