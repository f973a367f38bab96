/*
 * spans.h: observed work on queues (trace.h, profile.h). It is timed by marks in the queue, before and after it, that
 * are read once the queue is finished: observing neither drains queues nor hides that they overlap.
 */
#ifndef ARC_SPANS_H
#define ARC_SPANS_H
#include "device/device.h"

/* Whether the trace or the profile needs times. */
bool arc_watching(void);
/* A mark before work; NULL if nothing is observed. */
void *arc_span_begin(struct arc_device *, struct arc_queue *);
/* The work after the mark `begin` was just queued. */
void arc_span_transfer(struct arc_device *, struct arc_queue *, const char *direction, const arc_site *,
                       const char *action, const char *name, size_t bytes, bool bounced, void *begin);
void arc_span_launch(struct arc_device *, struct arc_queue *, const arc_site *, const char *region,
                     const char *kernel, const int64_t grid[3], const int64_t group[3], size_t n,
                     const struct arc_pass *, struct arc_operations, void *begin);

/* Queued work whose times are not known yet. */
struct arc_span;
/* Removes the queue's spans; later work gets new ones. */
struct arc_span *arc_span_take(struct arc_queue *);
/* Reports spans to the trace and the profile; the queue has finished them. */
void arc_span_tell(struct arc_device *, struct arc_span *);

#endif
