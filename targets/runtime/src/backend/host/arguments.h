/* arguments.h: what kernels of this machine's processor are passed. */
#ifndef ARC_ARGUMENTS_H
#define ARC_ARGUMENTS_H
#include "arc_host_kernel.h"
#include "device/device.h"

/* The address of a place in memory of this machine. */
static inline char *arc_host_address(struct arc_place place) {
  return (char *)(uintptr_t)(place.buffer->range.start + (uint64_t)place.offset);
}

/* Calls a kernel for the part that `grid` names; its extents are filled in here. */
void arc_host_call(arc_host_kernel *, struct arc_host_grid, size_t n, const struct arc_pass *);

/* The arguments, and the extents of the memory that they lead to; both have room for n. */
void arc_host_arguments(size_t n, const struct arc_pass *, void **arguments, struct arc_host_extent *);

#endif
