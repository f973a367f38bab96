/*
 * staging.h: pinned memory for a lane's small transfers. Drivers block the program while they transfer pageable memory, in
 * at least one direction; pinned memory transfers asynchronously. It is a ring, released in the order of allocation.
 */
#ifndef ARC_STAGING_H
#define ARC_STAGING_H
#include "device/device.h"

/* The ring of one lane. */
struct arc_staging {
  struct arc_pinned pinned;
  size_t size;          /* 0: transfers use the program's memory directly */
  bool is_open;
  uint64_t taken;       /* total bytes allocated; written by the queueing thread */
  _Atomic uint64_t given; /* total bytes released; written by the waiting thread */
};

/* Bytes that a transfer leaves in staging memory, and their final place. */
struct arc_landing {
  char *to;
  const char *from;
  size_t bytes;
};
struct arc_landings {
  struct arc_landing *list;
  size_t count, room;
};

/* Allocates the ring on the first call, $ARC_TASK_STAGING bytes. Call with the device's lock held. */
void arc_staging_open(struct arc_staging *, struct arc_device *, struct arc_queue *);
void arc_staging_close(struct arc_staging *, struct arc_device *, struct arc_queue *);
/* NULL: no room at present. */
char *arc_staging_take(struct arc_staging *, size_t bytes);
/* Whether this many bytes in this many pieces would fit now. */
bool arc_staging_fits(const struct arc_staging *, size_t bytes, size_t pieces);
/* Releases all that was allocated up to the position `taken`. */
void arc_staging_give(struct arc_staging *, uint64_t taken);

void arc_landings_add(struct arc_landings *, char *to, const char *from, size_t bytes);
/* Copies all of them to their places and empties the list. */
void arc_landings_copy(struct arc_landings *);

#endif
