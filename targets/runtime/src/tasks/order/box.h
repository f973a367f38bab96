/* box.h: sections of arrays as boxes of bytes: whether two have a byte in common. Knows nothing of tasks. */
#ifndef ARC_BOX_H
#define ARC_BOX_H
#include "arctask.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARC_BOX_DIMS 7

/* Of each row the stride is at least the extent of what lies in it, and the count is above 1. */
struct arc_box {
  uintptr_t start;
  size_t size;   /* of the innermost run of bytes */
  size_t extent; /* from the first byte to the last */
  const arc_task_rows *rows; /* outermost first */
  unsigned dims;
};

/* `rows` has room for access->dims; the box points to it. False: the section is empty. */
bool arc_box_of(const arc_task_access *, arc_task_rows *rows, struct arc_box *);

/* Whether they have a byte in common. */
bool arc_boxes_meet(const struct arc_box *, const struct arc_box *);
/* True only if all bytes of the second are bytes of the first; false where that takes long to find out. */
bool arc_box_holds(const struct arc_box *, const struct arc_box *);

#endif
