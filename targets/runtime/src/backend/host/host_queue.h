/* host_queue.h: an async queue of the host back end: a thread that runs tasks in order. */
#ifndef ARC_HOST_QUEUE_H
#define ARC_HOST_QUEUE_H
#include "backend/host/code.h"

struct arc_host_queue;

enum arc_host_task_kind { ARC_HOST_MOVE, ARC_HOST_FILL, ARC_HOST_KERNEL, ARC_HOST_TEAM, ARC_HOST_AWAIT, ARC_HOST_STAMP };

struct arc_host_task {
  enum arc_host_task_kind kind;
  void *to;
  const void *from;
  size_t bytes;
  unsigned char byte;
  const struct arc_host_code *code; /* ARC_HOST_KERNEL; ARC_HOST_TEAM: of the image that has it */
  struct arc_team_work work; /* ARC_HOST_TEAM */
  struct arc_host_grid grid;
  void *const *arguments;
  struct arc_host_queue *queue; /* ARC_HOST_AWAIT: until it has run `count` tasks */
  uint64_t count;
  double *stamp; /* ARC_HOST_STAMP: receives the time */
};

void arc_host_task_run(const struct arc_host_task *);

/* NULL with errno if no thread can be created. */
struct arc_host_queue *arc_host_queue_open(void);
/* Runs the remaining tasks, then ends the thread. */
void arc_host_queue_close(struct arc_host_queue *);
void arc_host_queue_submit(struct arc_host_queue *, const struct arc_host_task *);
/* Copies what the kernel is passed, which the caller may reuse on return. */
void arc_host_queue_submit_kernel(struct arc_host_queue *, const struct arc_host_task *, size_t n,
                                  const struct arc_pass *);
/* Tasks submitted so far. */
uint64_t arc_host_queue_submitted(struct arc_host_queue *);
void arc_host_queue_finish(struct arc_host_queue *);
bool arc_host_queue_idle(struct arc_host_queue *);

#endif
