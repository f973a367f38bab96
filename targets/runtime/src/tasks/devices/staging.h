/*
 * staging.h: pinned memory that small transfers of a lane go through. Drivers move pageable memory only while the program
 * waits, at least one way; bytes that lie here they move beside it. A ring: what is taken first is given back first.
 */
#ifndef ARC_STAGING_H
#define ARC_STAGING_H
#include "device/device.h"

/* Of a lane. */
struct arc_staging {
  struct arc_pinned pinned;
  size_t size;          /* 0: transfers go from and to the program's memory itself */
  bool is_open;
  uint64_t taken;       /* bytes since the beginning; by the one who queues */
  _Atomic uint64_t given; /* by the one who waits */
};

/* What has arrived here, and where it belongs. */
struct arc_landing {
  char *to;
  const char *from;
  size_t bytes;
};
struct arc_landings {
  struct arc_landing *list;
  size_t count, room;
};

/* The first time it makes the memory, $ARC_TASK_STAGING bytes of it. With the device's lock held. */
void arc_staging_open(struct arc_staging *, struct arc_device *, struct arc_queue *);
void arc_staging_close(struct arc_staging *, struct arc_device *, struct arc_queue *);
/* NULL: there is no room now. */
char *arc_staging_take(struct arc_staging *, size_t bytes);
/* Whether so many bytes in so many pieces could be taken now. */
bool arc_staging_fits(const struct arc_staging *, size_t bytes, size_t pieces);
/* Whatever was taken before `taken` said so is not used any more. */
void arc_staging_give(struct arc_staging *, uint64_t taken);

void arc_landings_add(struct arc_landings *, char *to, const char *from, size_t bytes);
/* Copies all of them, and forgets them. */
void arc_landings_copy(struct arc_landings *);

#endif
