/* memory.h: device memory: pooled allocation, and addresses. */
#ifndef ARC_MEMORY_H
#define ARC_MEMORY_H
#include "device/device.h"

/* All with the device's lock held. Failures end the program, naming the site and `what` was asked for. */

/* `queue`: the first user: memory released in that queue may be reused at once. */
struct arc_buffer *arc_memory_allocate(struct arc_device *, struct arc_queue *, const arc_site *,
                                       size_t bytes, const char *what);
/* NULL, with arc_reason(), when the device has no room. */
struct arc_buffer *arc_memory_try(struct arc_device *, struct arc_queue *, const arc_site *, size_t bytes,
                                  const char *what);
/* The memory is reused once the work queued so far is done. */
void arc_memory_release(struct arc_device *, struct arc_queue *, struct arc_buffer *);
/* Returns the memory to the pool immediately. */
void arc_memory_recycle(struct arc_device *, struct arc_buffer *list);
void arc_memory_trim(struct arc_device *);

uint64_t arc_memory_address(struct arc_device *, const arc_site *, struct arc_place);
/* False: the address is unknown on the device. */
bool arc_memory_place(struct arc_device *, uint64_t address, struct arc_place *);

static inline struct arc_place arc_place_at(struct arc_place place, int64_t offset) {
  return (struct arc_place){place.buffer, place.offset + offset};
}

#endif
