/* moves.h: bytes of sections between the host's memory and a device's. Knows nothing of who has the latest ones. */
#ifndef ARC_MOVES_H
#define ARC_MOVES_H
#include "tasks/devices/lanes.h"
#include "tasks/order/box.h"

/* A section, and memory of a device that has room for it: from the section's first byte to its last. */
struct arc_held_section {
  struct arc_device *device;
  struct arc_buffer *buffer;
  const struct arc_box *box;
  const char *name; /* as the program writes it */
};

enum arc_direction { ARC_TO_DEVICE, ARC_FROM_DEVICE };

/* Small transfers through staging memory. */
struct arc_stage {
  struct arc_staging *staging;   /* NULL: none */
  struct arc_landings *landings; /* what has to be copied once the transfers are done */
};

/*
 * Queues the bytes of the section that lie at `low` or behind it and before `high`; the program's memory must stay
 * as it is until all that is queued in the lane is done.
 */
void arc_move(const arc_site *, const struct arc_held_section *, int lane, enum arc_direction, uintptr_t low,
              uintptr_t high, struct arc_stage);
/* How many bytes of the section lie there, and in how many pieces. */
size_t arc_move_size(const struct arc_box *, uintptr_t low, uintptr_t high, size_t *pieces);
/* Queues all of the section from another device's memory; false: there is no way but by the host. */
bool arc_move_across(const arc_site *, const struct arc_held_section *to, int lane, const struct arc_held_section *from);
/* Returns when all that was queued without staging is where it belongs. */
void arc_moves_end(const arc_site *, struct arc_device *, int lane);

/* Called with the device where its driver finds a fault: it may be that of a kernel queued before, which it then names. */
void arc_moves_suspect(void (*)(struct arc_device *));
void arc_moves_look_back(struct arc_device *);

/* The same of kernels; false with arc_reason() if one failed. */
bool arc_lane_finish(const arc_site *, struct arc_device *, int lane);

#endif
