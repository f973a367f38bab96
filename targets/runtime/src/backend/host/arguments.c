/* arguments.c: from what a launch passes to what a kernel of this machine's processor takes. */
#include "backend/host/arguments.h"
#include <stdlib.h>

void arc_host_arguments(size_t n, const struct arc_pass *passes, void **arguments, struct arc_host_extent *extents) {
  for (size_t i = 0; i < n; i++) {
    const struct arc_pass *pass = &passes[i];
    arguments[i] = pass->is_place ? arc_host_address(pass->place) : (void *)pass->bytes;
    extents[i] = (struct arc_host_extent){0};
    if (pass->extent)
      extents[i] = (struct arc_host_extent){(uintptr_t)arguments[i] - (uint64_t)pass->before, pass->extent};
    else if (!pass->is_place)
      extents[i] = (struct arc_host_extent){(uintptr_t)pass->bytes, pass->size};
  }
}

void arc_host_call(arc_host_kernel *kernel, struct arc_host_grid grid, size_t n, const struct arc_pass *passes) {
  enum { few = 64 };
  void *some[few];
  struct arc_host_extent some_extents[few];
  void **arguments = n > few ? arc_allocate(n * sizeof *arguments) : some;
  struct arc_host_extent *extents = n > few ? arc_allocate(n * sizeof *extents) : some_extents;
  arc_host_arguments(n, passes, arguments, extents);
  grid.extents = extents;
  kernel(&grid, arguments);
  if (arguments != some) free(arguments);
  if (extents != some_extents) free(extents);
}
