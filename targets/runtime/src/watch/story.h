/*
 * story.h: tasks in ARC_TRACE: each task as a bar in the row of the thread that runs it, an arrow from each task to
 * those that waited for it, and idle times of threads.
 */
#ifndef ARC_TASKS_STORY_H
#define ARC_TASKS_STORY_H
#include "device/device.h"
#include "tasks/thread.h"

/* A task was created; no effect without a trace. */
void arc_story_open(struct arc_task *);
/* `later` waited for `task`, which is complete now. */
void arc_story_after(const struct arc_task *task, const struct arc_task *later);
/* A body has run since `begin` (arc_trace_now), on the device if it is a kernel; it began when all that it waited for was done. */
void arc_story_ran(const struct arc_thread *, const struct arc_task *, const arc_task_version *,
                   const struct arc_device *, double begin);
/* All that it waited for is complete and traced. */
void arc_story_ended(const struct arc_task *);
/* The thread was idle since `begin`. */
void arc_story_idle(const struct arc_thread *, double begin);
/* Frees its memory. */
void arc_story_close(struct arc_task *);

#endif
