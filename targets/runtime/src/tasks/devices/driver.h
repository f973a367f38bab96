/*
 * driver.h: the threads that run kernels, three for each device. One queues tasks in two lanes in turn without waiting for
 * the device, so that the next task's data arrives while a kernel runs. The others each wait for the tasks of one lane
 * and report their ends to the task graph.
 */
#ifndef ARC_DRIVER_H
#define ARC_DRIVER_H
#include "tasks/versions.h"

/* Runs a ready task as `way` says, whose station is set, and ends it. */
void arc_driver_give(struct arc_task *, struct arc_way way);
/* Called when all tasks have ended; returns once the threads have exited. */
void arc_drivers_end(void);

#endif
