/* moves.h: transfers of sections between host and device memory. Does not know who has the latest bytes. */
#ifndef ARC_MOVES_H
#define ARC_MOVES_H
#include "tasks/devices/lanes.h"
#include "tasks/order/box.h"

/* A section, and device memory for all of its extent, from the first byte to the last. */
struct arc_held_section {
  struct arc_device *device;
  struct arc_buffer *buffer;
  const struct arc_box *box;
  const char *name; /* as the program writes it */
};

enum arc_direction { ARC_TO_DEVICE, ARC_FROM_DEVICE };

/* Small transfers go through staging memory. */
struct arc_stage {
  struct arc_staging *staging;   /* NULL: none */
  struct arc_landings *landings; /* copies to make once the transfers are done */
};

/*
 * Queues a transfer of the section's bytes in [low, high). The program must not change its memory until all that is
 * queued in the lane is done.
 */
void arc_move(const arc_site *, const struct arc_held_section *, int lane, enum arc_direction, uintptr_t low,
              uintptr_t high, struct arc_stage);
/* The size in bytes and the number of pieces of such a transfer. */
size_t arc_move_size(const struct arc_box *, uintptr_t low, uintptr_t high, size_t *pieces);
/* Queues a transfer of the whole section from another device; false: it can only go through the host. */
bool arc_move_across(const arc_site *, const struct arc_held_section *to, int lane, const struct arc_held_section *from);
/* Waits for all queued transfers without staging. */
void arc_moves_end(const arc_site *, struct arc_device *, int lane);

/* Sets the function called when a driver reports a fault: it names the kernel queued earlier that caused it, if any. */
void arc_moves_suspect(void (*)(struct arc_device *));
void arc_moves_look_back(struct arc_device *);

/* Waits for all queued work, kernels included; false with arc_reason() if one failed. */
bool arc_lane_finish(const arc_site *, struct arc_device *, int lane);

#endif
