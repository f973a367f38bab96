/*
 * trace.h: the timeline that ARC_TRACE=FILE asks for (`%p` in it becomes the process id): an array of
 * Chrome trace events, a whole JSON document after every event, so that a crash loses only what was under
 * way.
 *
 * Work on a queue is timed by marks in the queue, before and after it, that are read once the queue is
 * finished: tracing neither drains queues nor hides that they overlap.
 */
#ifndef ARC_TRACE_H
#define ARC_TRACE_H
#include "device/device.h"

bool arc_tracing(void);
/* Microseconds since an arbitrary start: the clock of all events. */
double arc_trace_now(void);

/* Names the queue's row. */
void arc_trace_queue(const struct arc_device *, const struct arc_queue *);
/* A mark in front of work; NULL when there is no trace. */
void *arc_trace_begin(struct arc_device *, struct arc_queue *);
/* The work that `begin` stands in front of was just queued. */
void arc_trace_transfer(struct arc_device *, struct arc_queue *, const char *direction, const arc_site *,
                        const char *action, const char *name, size_t bytes, bool bounced, void *begin);
void arc_trace_launch(struct arc_device *, struct arc_queue *, const arc_site *, const char *region,
                      const char *kernel, const int64_t grid[3], const int64_t group[3], void *begin);
void arc_trace_allocation(struct arc_device *, const arc_site *, const char *name, size_t bytes, bool reused);
/* The calling thread waited since `begin`. */
void arc_trace_wait(struct arc_device *, const struct arc_queue *, const arc_site *, double begin);

/* Work that was queued and whose times are not known yet. */
struct arc_span;
/* Takes the queue's spans away: what is queued later has its own. */
struct arc_span *arc_trace_take(struct arc_queue *);
/* Writes them; the queue has finished them. */
void arc_trace_write(struct arc_device *, struct arc_span *);

#endif
