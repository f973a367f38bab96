/*
 * spans.h: work on queues that somebody watches (trace.h, profile.h). It is timed by marks in the queue, before and after
 * it, that are read once the queue is finished: watching neither drains queues nor hides that they overlap.
 */
#ifndef ARC_SPANS_H
#define ARC_SPANS_H
#include "device/device.h"

/* Somebody watches: queues have to keep times. */
bool arc_watching(void);
/* A mark in front of work; NULL when nobody watches. */
void *arc_span_begin(struct arc_device *, struct arc_queue *);
/* The work that `begin` stands in front of was just queued. */
void arc_span_transfer(struct arc_device *, struct arc_queue *, const char *direction, const arc_site *,
                       const char *action, const char *name, size_t bytes, bool bounced, void *begin);
void arc_span_launch(struct arc_device *, struct arc_queue *, const arc_site *, const char *region,
                     const char *kernel, const int64_t grid[3], const int64_t group[3], size_t n,
                     const struct arc_pass *, struct arc_operations, void *begin);

/* Work that was queued and whose times are not known yet. */
struct arc_span;
/* Takes the queue's spans away: what is queued later has its own. */
struct arc_span *arc_span_take(struct arc_queue *);
/* Tells who watches; the queue has finished them. */
void arc_span_tell(struct arc_device *, struct arc_span *);

#endif
