/* box.h: sections of arrays as boxes of bytes, and whether two overlap. Independent of tasks. */
#ifndef ARC_BOX_H
#define ARC_BOX_H
#include "arctask.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARC_BOX_DIMS 7

/* Each row's stride is at least the extent of its content, and each count is above 1. */
struct arc_box {
  uintptr_t start;
  size_t size;   /* of the innermost run of bytes */
  size_t extent; /* from the first byte to the last */
  const arc_task_rows *rows; /* outermost first */
  unsigned dims;
};

/* Fills the box, which keeps a pointer to `rows`, an array for access->dims. False: the section is empty. */
bool arc_box_of(const arc_task_access *, arc_task_rows *rows, struct arc_box *);

/* Whether they share a byte. */
bool arc_boxes_meet(const struct arc_box *, const struct arc_box *);
/* True only if the first contains the second; false where that would take long to decide. */
bool arc_box_holds(const struct arc_box *, const struct arc_box *);

#endif
