/* together.c: a thread for each kernel except the last, which runs on the calling thread. */
#define _POSIX_C_SOURCE 200809L
#include "backend/host/together.h"
#include "arc_host_kernel.h"
#include "report/error.h"
#include <stdlib.h>
#include <string.h>

static void *run(void *argument) {
  const struct arc_start *start = argument;
  arc_host_kernel *kernel;
  memcpy(&kernel, &start->kernel, sizeof kernel); /* ISO C has no cast from an object to a function pointer */
  struct arc_host_grid grid;
  memcpy(grid.grid, start->grid, sizeof grid.grid);
  memcpy(grid.group, start->group, sizeof grid.group);
  void **arguments = arc_allocate((start->n + 1) * sizeof *arguments);
  struct arc_host_extent *extents = arc_allocate((start->n + 1) * sizeof *extents);
  grid.extents = extents;
  for (size_t i = 0; i < start->n; i++) {
    const struct arc_pass *pass = &start->passes[i];
    arguments[i] = pass->is_place
                       ? (char *)(uintptr_t)(pass->place.buffer->range.start + (uint64_t)pass->place.offset)
                       : (void *)pass->bytes;
    if (pass->extent)
      extents[i] = (struct arc_host_extent){(uintptr_t)arguments[i] - (uint64_t)pass->before, pass->extent};
    else if (!pass->is_place)
      extents[i] = (struct arc_host_extent){(uintptr_t)pass->bytes, pass->size};
  }
  kernel(&grid, arguments);
  free(arguments);
  free(extents);
  return NULL;
}

bool arc_together_run(size_t count, const struct arc_start *starts) {
  pthread_t *threads = arc_allocate(count * sizeof *threads);
  for (size_t k = 0; k + 1 < count; k++) {
    int failed = pthread_create(&threads[k], NULL, run, (void *)&starts[k]);
    /* The kernels already started would wait for this one forever, so the program cannot continue. */
    if (failed) return arc_because("no thread for one of its kernels: %s", strerror(failed));
  }
  run((void *)&starts[count - 1]);
  for (size_t k = 0; k + 1 < count; k++) pthread_join(threads[k], NULL);
  free(threads);
  return true;
}
