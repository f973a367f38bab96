/*
 * trace.h: the timeline for ARC_TRACE=FILE (`%p` in it becomes the process id): an array of Chrome trace events. The
 * file is a complete JSON document after every event, so that a crash loses only pending work.
 */
#ifndef ARC_TRACE_H
#define ARC_TRACE_H
#include "device/device.h"

bool arc_tracing(void);
/* Microseconds since an arbitrary start: the clock of all events. */
double arc_trace_now(void);

/* Names the queue's row. */
void arc_trace_queue(const struct arc_device *, const struct arc_queue *);
/* Work that was just queued, as an event without its times; arc_trace_write adds those and frees it. */
struct arc_text arc_trace_transfer(const struct arc_device *, const struct arc_queue *, const char *direction,
                                   const arc_site *, const char *action, const char *name, size_t bytes,
                                   bool bounced);
struct arc_text arc_trace_launch(const struct arc_device *, const struct arc_queue *, const arc_site *,
                                 const char *region, const char *kernel, const int64_t grid[3],
                                 const int64_t group[3]);
void arc_trace_write(struct arc_text *event, double begin, double stop);
/* A complete event, which it frees. */
void arc_trace_event(struct arc_text *);
void arc_trace_allocation(struct arc_device *, const arc_site *, const char *name, size_t bytes, bool reused);
/* The calling thread waited since `begin`. */
void arc_trace_wait(struct arc_device *, const struct arc_queue *, const arc_site *, double begin);

/* The name of a file with every `%p` replaced by the process id. */
char *arc_trace_file_name(const char *pattern);
/* A string as JSON. */
void arc_trace_add_string(struct arc_text *, const char *);

#endif
