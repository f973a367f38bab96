/* kept.h: a deferred launch, with its arguments as they were when it was requested. */
#ifndef ARC_KEPT_H
#define ARC_KEPT_H
#include "launch/region.h"
#include <stddef.h>

struct arc_kept {
  struct arc_kept *next;
  const struct arc_region *region;
  const arc_site *site;
  struct arc_start start;
  max_align_t storage[]; /* the passes, and the bytes of values among them */
};

#endif
