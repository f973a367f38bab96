/* kernel.h: tasks whose body is a kernel that the program's author wrote. */
#ifndef ARC_TASKS_KERNEL_H
#define ARC_TASKS_KERNEL_H
#include "tasks/devices/copies.h"
#include "tasks/devices/moves.h"
#include "tasks/devices/station.h"
#include "tasks/task.h"

/* A task whose transfers and kernel are queued on a device. */
struct arc_issued {
  struct arc_station *station;
  const struct arc_task *task;
  const arc_task_kernel *kernel;
  struct arc_taking taking;
  void *point;          /* behind all of it; NULL: there is nothing to wait for */
  struct arc_span *spans;
  uint64_t counted;     /* operations of the queue up to here */
  uint64_t staged;      /* staging memory up to here */
};

/* Where a task is to run, which is counted there from now on: on the station, or where NULL is given on the best one. */
struct arc_station *arc_kernel_assign(const struct arc_task *, const arc_task_kernel *, struct arc_station *);
/* The station on which it would run at its best, not counting how many tasks each has. */
bool arc_kernel_belongs(const struct arc_task *, const arc_task_kernel *, const struct arc_station *);
/* Queues it there, in a lane of the drivers'. Then it is reached (1) or not (0), or has failed (-1), with arc_reason(). */
void arc_kernel_issue(struct arc_issued *, const struct arc_task *, const arc_task_kernel *, struct arc_station *, int lane);
int arc_kernel_reached(const struct arc_issued *);
/* Returns when it is reached; false: it has failed. */
bool arc_kernel_await(const struct arc_issued *);
/* Once it is reached; in the order of the lane. The task is no longer counted. */
void arc_kernel_retire(struct arc_issued *);
/* Ends the program. `others` may have failed in its place. */
_Noreturn void arc_kernel_failed(const struct arc_issued *, unsigned others);
/* There; returns when the kernel has ended, and the task is no longer counted. */
void arc_kernel_run(const struct arc_task *, const arc_task_kernel *, struct arc_station *, int lane);
/* The number of the one that the program asks for; -1: any. */
int arc_kernel_wanted(const struct arc_task *, const arc_task_kernel *);
/* Whether each of its devices has a task to run and one to prepare. */
bool arc_kernel_busy(const arc_task_kernel *);

#endif
