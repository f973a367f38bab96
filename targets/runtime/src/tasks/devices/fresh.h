/* fresh.h: which bytes of a section that a device has changed the host has as well. */
#ifndef ARC_FRESH_H
#define ARC_FRESH_H
#include <stdbool.h>
#include <stdint.h>

struct arc_stretch {
  uintptr_t low, high;
};

enum { ARC_MOST_FRESH = 8 };

struct arc_fresh {
  struct arc_stretch list[ARC_MOST_FRESH]; /* in order, apart */
  unsigned count;
};

/* The first stretch at `low` or behind it and before `high` that the host has not; false: there is none. */
bool arc_fresh_next_stale(const struct arc_fresh *, uintptr_t low, uintptr_t high, struct arc_stretch *found);
/* The host has these as well; false: there is no room for one more stretch. */
bool arc_fresh_add(struct arc_fresh *, uintptr_t low, uintptr_t high);

#endif
