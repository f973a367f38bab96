/* fresh.c: the bytes of a section that host and device both have. */
#include "tasks/devices/fresh.h"
#include <string.h>

bool arc_fresh_next_stale(const struct arc_fresh *fresh, uintptr_t low, uintptr_t high, struct arc_stretch *found) {
  for (unsigned i = 0; i < fresh->count && low < high; i++) {
    const struct arc_stretch *known = &fresh->list[i];
    if (known->high <= low) continue;
    if (known->low > low) {
      *found = (struct arc_stretch){low, known->low < high ? known->low : high};
      return true;
    }
    low = known->high;
  }
  *found = (struct arc_stretch){low, high};
  return low < high;
}

bool arc_fresh_add(struct arc_fresh *fresh, uintptr_t low, uintptr_t high) {
  struct arc_stretch kept[ARC_MOST_FRESH + 1];
  unsigned count = 0;
  bool is_in = false;
  for (unsigned i = 0; i < fresh->count; i++) {
    const struct arc_stretch *other = &fresh->list[i];
    if (other->high < low) {
      kept[count++] = *other;
    } else if (other->low > high) {
      if (!is_in) kept[count++] = (struct arc_stretch){low, high};
      is_in = true;
      kept[count++] = *other;
    } else {
      if (other->low < low) low = other->low;
      if (other->high > high) high = other->high;
    }
  }
  if (!is_in) kept[count++] = (struct arc_stretch){low, high};
  if (count > ARC_MOST_FRESH) return false;
  memcpy(fresh->list, kept, count * sizeof *kept);
  fresh->count = count;
  return true;
}
