/* moves.h: bytes of sections between the host's memory and a device's. Knows nothing of who has the latest ones. */
#ifndef ARC_MOVES_H
#define ARC_MOVES_H
#include "device/device.h"
#include "tasks/order/box.h"

/* A section, and memory of a device that has room for it: from the section's first byte to its last. */
struct arc_held_section {
  struct arc_device *device;
  struct arc_buffer *buffer;
  const struct arc_box *box;
  const char *name; /* as the program writes it */
};

enum arc_direction { ARC_TO_DEVICE, ARC_FROM_DEVICE };

/* A device's queues for tasks: one for each of its drivers, one for who else runs a kernel, one for what comes back. */
enum arc_lane_use { ARC_LANE_DRIVERS = 0, ARC_LANE_OTHERS = 2, ARC_LANE_BACK = 3 };

/*
 * Queues the bytes of the section that lie at `low` or behind it and before `high`; the program's memory must stay
 * as it is until arc_moves_end.
 */
void arc_move(const arc_site *, const struct arc_held_section *, int lane, enum arc_direction, uintptr_t low,
              uintptr_t high);
/* Queues all of the section from another device's memory; false: there is no way but by the host. */
bool arc_move_across(const arc_site *, const struct arc_held_section *to, int lane, const struct arc_held_section *from);
/* Returns when all that was queued is where it belongs. */
void arc_moves_end(const arc_site *, struct arc_device *, int lane);

/* The same of kernels; false with arc_reason() if one failed. */
bool arc_lane_finish(const arc_site *, struct arc_device *, int lane);

#endif
