/* kernel.h: tasks whose body is a kernel that the program's author wrote. */
#ifndef ARC_TASKS_KERNEL_H
#define ARC_TASKS_KERNEL_H
#include "tasks/devices/moves.h"
#include "tasks/devices/station.h"
#include "tasks/task.h"

/* Where a task is to run, which is counted there from now on: on the station, or where NULL is given on the best one. */
struct arc_station *arc_kernel_assign(const struct arc_task *, const arc_task_kernel *, struct arc_station *);
/* There; returns when the kernel has ended, and the task is no longer counted. */
void arc_kernel_run(const struct arc_task *, const arc_task_kernel *, struct arc_station *, int lane);
/* The number of the one that the program asks for; -1: any. */
int arc_kernel_wanted(const struct arc_task *, const arc_task_kernel *);
/* Whether each of its devices has as many tasks as it can run and prepare. */
bool arc_kernel_busy(const arc_task_kernel *);

#endif
