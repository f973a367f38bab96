/* versions.h: which version of a task's body runs, and where. */
#ifndef ARC_TASKS_VERSIONS_H
#define ARC_TASKS_VERSIONS_H
#include "tasks/devices/station.h"
#include "tasks/thread.h"

/* One way to run a task; `version` NULL: none. */
struct arc_way {
  const arc_task_version *version;
  struct arc_station *station; /* of a kernel */
  struct arc_learned *learned;
  int lane; /* of the station's device */
};

/* True: a device has been given the task, which can run nowhere else. */
bool arc_task_hand_over(struct arc_task *);
/* The task's body on the calling thread, which has ended on return; false: a device has been given it. */
bool arc_task_perform(struct arc_thread *, struct arc_task *);
/* The body, which has ended on return. */
void arc_way_run(struct arc_thread *, struct arc_task *, struct arc_way);
/* It took so many microseconds. */
void arc_way_measured(struct arc_way, double took);
/* Whether the task may be queued on a device behind tasks there that it waits for. */
bool arc_task_may_follow(const struct arc_task *);
/* Queues it so, if this is where it should run, and nothing else has to be waited for; false: it has to wait. */
bool arc_task_can_follow(const struct arc_task *, const struct arc_station *);
void arc_task_follow(struct arc_task *, struct arc_station *);

#endif
