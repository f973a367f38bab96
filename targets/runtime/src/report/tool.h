/*
 * tool.h: what tools are told that registered with acc_prof.h. Where nobody registered for an event, it costs one test.
 */
#ifndef ARC_TOOL_H
#define ARC_TOOL_H
#include "acc_prof.h"
#include "device/device.h"

/* A bit for each event that somebody wants to be told. */
extern _Atomic uint32_t arc_tool_wanted;
static inline bool arc_tool_wants(acc_event_t event) {
  return atomic_load_explicit(&arc_tool_wanted, memory_order_relaxed) >> event & 1;
}

/* Where an event belongs. Each may be NULL; the runtime does by itself what is `implicit`. */
struct arc_tool_place {
  const struct arc_device *device;
  const struct arc_queue *queue;
  const arc_site *site;
  bool implicit;
};

/* `info`: what the tool left at the start, for the end. Each asks arc_tool_wants first. */
void arc_tool_other(acc_event_t, struct arc_tool_place, void **info);
void arc_tool_data(acc_event_t, struct arc_tool_place, const char *name, const void *host, struct arc_place,
                   size_t bytes, void **info);
void arc_tool_launch(acc_event_t, struct arc_tool_place, const char *kernel, const int64_t grid[3],
                     const int64_t group[3], void **info);

static inline bool arc_tool_wants_any(void) {
  return atomic_load_explicit(&arc_tool_wanted, memory_order_relaxed) != 0;
}
/* Somebody wants to know, and the directive is a compute construct. */
bool arc_tool_is_compute(const arc_site *);
/* A compute construct of the calling thread, which may begin and end with data clauses: those inside it are part of it.
 * `enter` tells whether `leave` must follow. */
bool arc_tool_enter_compute(const struct arc_device *, const arc_site *);
void arc_tool_leave_compute(const struct arc_device *, const arc_site *);
/* The thread is in one. */
bool arc_tool_in_compute(void);

#endif
