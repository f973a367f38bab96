/* kernel.h: tasks whose body is a kernel that the user wrote. */
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
  void *point;          /* behind all of its work; NULL: there was nothing to do */
  struct arc_span *spans;
  uint64_t counted;     /* operations of the queue up to here */
  uint64_t staged;      /* position in the staging memory up to here */
};

/* Chooses the station, unless one is given, and counts the task there. */
struct arc_station *arc_kernel_assign(const struct arc_task *, const arc_task_kernel *, struct arc_station *);
/* Whether the station is the best one for the task, leaving aside how many tasks each has. */
bool arc_kernel_belongs(const struct arc_task *, const arc_task_kernel *, const struct arc_station *);
/* Queues the task in a lane. arc_kernel_reached: 1 when done, 0 before, -1 on failure, with arc_reason(). */
void arc_kernel_issue(struct arc_issued *, const struct arc_task *, const arc_task_kernel *, struct arc_station *, int lane);
int arc_kernel_reached(const struct arc_issued *);
/* Waits until the task is done; false: it failed. */
bool arc_kernel_await(const struct arc_issued *);
/* Call when the task is done, in the lane's order. Releases its data and no longer counts the task. */
void arc_kernel_retire(struct arc_issued *);
/* Ends the program. `others`: unfinished tasks, any of which may have failed instead. */
_Noreturn void arc_kernel_failed(const struct arc_issued *, unsigned others);
/* Runs the task on the station; returns when the kernel has ended and the task is no longer counted. */
void arc_kernel_run(const struct arc_task *, const arc_task_kernel *, struct arc_station *, int lane);
/* The device number that the program requests; -1: any. */
int arc_kernel_wanted(const struct arc_task *, const arc_task_kernel *);
/* Whether each of its devices has a task to run and one to prepare. */
bool arc_kernel_busy(const arc_task_kernel *);

#endif
