/* arguments.h: what kernels of this machine's processor are passed. */
#ifndef ARC_ARGUMENTS_H
#define ARC_ARGUMENTS_H
#include "backend/host/code.h"
#include "device/device.h"

/* The address of a place in memory of this machine. */
static inline char *arc_host_address(struct arc_place place) {
  return (char *)(uintptr_t)(place.buffer->range.start + (uint64_t)place.offset);
}

/* Calls a kernel for the part that `grid` names; its extents are filled in here. */
void arc_host_call(arc_host_kernel *, struct arc_host_grid, size_t n, const struct arc_pass *);

/* Whether a thread of a team is to call a kernel; asked by all threads, for all kernels: see `share` of a back end. */
bool arc_host_turn(struct arc_team_thread *, const struct arc_host_code *, const struct arc_host_grid *);

/* The arguments, and the extents of the memory that they lead to; both have room for n. */
void arc_host_arguments(size_t n, const struct arc_pass *, void **arguments, struct arc_host_extent *);

#endif
