/* together.c: a thread for each kernel except the last, which runs on the calling thread. */
#define _POSIX_C_SOURCE 200809L
#include "backend/host/together.h"
#include "backend/host/arguments.h"
#include "backend/host/code.h"
#include "report/error.h"
#include <stdlib.h>
#include <string.h>

static void *run(void *argument) {
  const struct arc_start *start = argument;
  struct arc_host_grid grid = {0};
  memcpy(grid.grid, start->grid, sizeof grid.grid);
  memcpy(grid.group, start->group, sizeof grid.group);
  arc_host_call(((const struct arc_host_code *)start->kernel)->run, grid, start->n, start->passes);
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
