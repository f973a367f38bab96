/* fresh.h: which bytes of a section changed by a device the host has too. */
#ifndef ARC_FRESH_H
#define ARC_FRESH_H
#include <stdbool.h>
#include <stdint.h>

struct arc_stretch {
  uintptr_t low, high;
};

enum { ARC_MOST_FRESH = 8 };

struct arc_fresh {
  struct arc_stretch list[ARC_MOST_FRESH]; /* sorted, disjoint */
  unsigned count;
};

/* The first range in [low, high) that the host lacks; false: none. */
bool arc_fresh_next_stale(const struct arc_fresh *, uintptr_t low, uintptr_t high, struct arc_stretch *found);
/* Adds a range that the host now has; false: the list is full. */
bool arc_fresh_add(struct arc_fresh *, uintptr_t low, uintptr_t high);

#endif
