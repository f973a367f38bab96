/* versions.h: which version of a task's body runs, and where. */
#ifndef ARC_TASKS_VERSIONS_H
#define ARC_TASKS_VERSIONS_H
#include "tasks/devices/station.h"
#include "tasks/thread.h"

/* One way to run a task; `version` NULL: none. */
struct arc_way {
  const arc_task_version *version;
  struct arc_station *station; /* for kernels */
  struct arc_learned *learned;
  int lane; /* a lane of the station's device */
};

/* Gives a task that can only run on a device to that device; false: it may run elsewhere. */
bool arc_task_hand_over(struct arc_task *);
/* Runs the body on the calling thread, until it has ended; false: it was given to a device instead. */
bool arc_task_perform(struct arc_thread *, struct arc_task *);
/* Runs the body until it has ended. */
void arc_way_run(struct arc_thread *, struct arc_task *, struct arc_way);
/* Records the time in microseconds. */
void arc_way_measured(struct arc_way, double took);
/* Whether the task may be queued on a device behind its dependences there. */
bool arc_task_may_follow(const struct arc_task *);
/* Queues it so if it belongs on this device and need not wait for anything else; false: it must wait. */
bool arc_task_can_follow(const struct arc_task *, const struct arc_station *);
void arc_task_follow(struct arc_task *, struct arc_station *);

#endif
