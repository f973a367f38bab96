/* spans.c: work on queues from its start to its end, for the trace and the profile. */
#include "report/spans.h"
#include "report/energy.h"
#include "report/profile.h"
#include "report/trace.h"
#include <stdlib.h>

struct arc_span {
  struct arc_span *next;
  struct arc_text event;         /* the trace's; empty without one */
  struct arc_profile_row *row;   /* the profile's; NULL without one */
  bool is_launch;
  struct arc_operations operations; /* of a kernel; 0: not known */
  size_t bytes; /* of a transfer; of the arrays that a kernel was passed */
  void *begin, *end;
};

bool arc_watching(void) { return arc_tracing() || arc_profiling(); }

void *arc_span_begin(struct arc_device *device, struct arc_queue *queue) {
  return arc_watching() ? device->backend->mark(device, queue) : NULL;
}

static void add(struct arc_device *device, struct arc_queue *queue, struct arc_span span) {
  struct arc_span *kept = arc_allocate(sizeof *kept);
  *kept = span;
  kept->next = queue->spans;
  kept->end = device->backend->mark(device, queue);
  queue->spans = kept;
}

void arc_span_transfer(struct arc_device *device, struct arc_queue *queue, const char *direction,
                       const arc_site *site, const char *action, const char *name, size_t bytes, bool bounced,
                       void *begin) {
  struct arc_span span = {.bytes = bytes, .begin = begin};
  if (arc_tracing())
    span.event = arc_trace_transfer(device, queue, direction, site, action, name, bytes, bounced);
  if (arc_profiling()) span.row = arc_profile_transfer(device, direction, site, action, name);
  add(device, queue, span);
}

/* The memory that a kernel's arguments point into, each piece once. */
static size_t bytes_of(const struct arc_device *device, size_t n, const struct arc_pass *passes) {
  size_t bytes = 0;
  for (size_t i = 0; i < n; i++) {
    const struct arc_place place = passes[i].place;
    bool known = passes[i].is_place && place.buffer != device->nothing;
    for (size_t k = 0; known && k < i; k++)
      known = !(passes[k].is_place && passes[k].place.buffer == place.buffer &&
                passes[k].place.offset - passes[k].before == place.offset - passes[i].before);
    if (known) bytes += passes[i].extent;
  }
  return bytes;
}

void arc_span_launch(struct arc_device *device, struct arc_queue *queue, const arc_site *site,
                     const char *region, const char *kernel, const int64_t grid[3], const int64_t group[3],
                     size_t n, const struct arc_pass *passes, struct arc_operations operations, void *begin) {
  struct arc_span span = {.begin = begin, .is_launch = true, .operations = operations, .bytes = bytes_of(device, n, passes)};
  if (arc_tracing()) span.event = arc_trace_launch(device, queue, site, region, kernel, grid, group);
  if (arc_profiling()) span.row = arc_profile_launch(device, site, region, kernel);
  add(device, queue, span);
}

struct arc_span *arc_span_take(struct arc_queue *queue) {
  struct arc_span *spans = queue->spans;
  queue->spans = NULL;
  return spans;
}

static struct arc_span *oldest_first(struct arc_span *spans) {
  struct arc_span *reversed = NULL;
  while (spans) {
    struct arc_span *next = spans->next;
    spans->next = reversed;
    reversed = spans;
    spans = next;
  }
  return reversed;
}

void arc_span_tell(struct arc_device *device, struct arc_span *spans) {
  for (struct arc_span *span = oldest_first(spans); span;) {
    double begin = device->backend->mark_time(device, span->begin);
    double end = device->backend->mark_time(device, span->end);
    if (span->event.bytes) arc_trace_write(&span->event, begin, end);
    if (span->is_launch && device->meter) arc_energy_launched(device->meter, begin, end);
    if (span->row) arc_profile_count(span->row, end > begin ? (end - begin) * 1e-6 : 0, span->bytes, span->operations);
    struct arc_span *next = span->next;
    free(span);
    span = next;
  }
}
