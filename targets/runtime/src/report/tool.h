/* tool.h: calls tools that registered with acc_prof.h. An event without a registration costs one test. */
#ifndef ARC_TOOL_H
#define ARC_TOOL_H
#include "acc_prof.h"
#include "device/device.h"

/* A bit for each event with a registered tool. */
extern _Atomic uint32_t arc_tool_wanted;
static inline bool arc_tool_wants(acc_event_t event) {
  return atomic_load_explicit(&arc_tool_wanted, memory_order_relaxed) >> event & 1;
}

/* The context of an event. Each field may be NULL; `implicit`: done by the runtime itself. */
struct arc_tool_place {
  const struct arc_device *device;
  const struct arc_queue *queue;
  const arc_site *site;
  bool implicit;
};

/* `info`: what the tool left at the start event, for the end event. Each function first calls arc_tool_wants. */
void arc_tool_other(acc_event_t, struct arc_tool_place, void **info);
void arc_tool_data(acc_event_t, struct arc_tool_place, const char *name, const void *host, struct arc_place,
                   size_t bytes, void **info);
void arc_tool_launch(acc_event_t, struct arc_tool_place, const char *kernel, const int64_t grid[3],
                     const int64_t group[3], void **info);

/* `code` and `message` are those of arc_fail, and `device` is what it is about, or NULL. */
void arc_tool_error(struct arc_tool_place, const char *code, const char *message);

static inline bool arc_tool_wants_any(void) {
  return atomic_load_explicit(&arc_tool_wanted, memory_order_relaxed) != 0;
}
/* A tool is registered, and the directive is a compute construct. */
bool arc_tool_is_compute(const arc_site *);
/*
 * A compute construct of the calling thread, which may begin and end with data clauses that are part of it. `enter`
 * returns whether `leave` must follow.
 */
bool arc_tool_enter_compute(const struct arc_device *, const arc_site *);
void arc_tool_leave_compute(const struct arc_device *, const arc_site *);
/* Whether the thread is inside one. */
bool arc_tool_in_compute(void);

#endif
